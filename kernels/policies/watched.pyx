"""Calls of code from elsewhere, which may never return, may exit, and may raise what cannot be shown.

Such code runs in the thread that needs its answer. Another thread looks whether it returns, and raises an
exception in it if it does not. No answer depends on that: it is an error, or it is the same.
"""

cdef extern from "Python.h":
    ctypedef struct PyObject
    int PyThreadState_SetAsyncExc(unsigned long thread, PyObject *exception)

import os
import signal
import sys
from functools import cache
from threading import Lock, Thread, get_ident, main_thread
from time import monotonic, sleep

PATIENCE = 5.0
VARIABLE = "SHADOWTIME_PATIENCE"
# A shorter call is no reason for whoever presses Esc.
HURRY = 0.2
TICK = 0.1
# Ticks without a call after which nobody looks any more.
IDLE = 50
LONGEST = 400
KNOCK = getattr(signal, "SIGVTALRM", None)


class Overdue(BaseException):
    """Raised inside code that has not returned."""


class NeverReturns(Exception):
    """Code from elsewhere has not returned: for how long, or that it was broken off."""


cdef class Call:
    """A call under way: its thread, since when, why it was broken off, and the call around it."""
    cdef unsigned long thread
    cdef double begun
    cdef str why
    cdef Call outer


cdef class Watch:
    """The calls under way in all threads, and the thread that looks at them."""
    cdef object lock, looker
    cdef dict calls
    cdef readonly double patience
    cdef int idle
    cdef bint knocks

    def __init__(self):
        given = os.environ.get(VARIABLE, "")
        self.patience = float(given) if given.replace(".", "", 1).isdecimal() and float(given) > 0 else PATIENCE
        self.lock = Lock()
        self.calls = {}
        self.looker = None

    cdef Call begin(self):
        cdef Call call = Call()
        call.thread = get_ident()
        call.begun = monotonic()
        if not self.knocks and KNOCK is not None and call.thread == main_thread().ident:
            # What sleeps in the main thread wakes up for a signal alone.
            self.knocks = signal.getsignal(KNOCK) in (signal.SIG_DFL, knocked)
            if self.knocks:
                signal.signal(KNOCK, knocked)
        with self.lock:
            call.outer = self.calls.get(call.thread)
            self.calls[call.thread] = call
            self.idle = 0
            if self.looker is None:
                self.looker = Thread(target=self.look, name="watch", daemon=True)
                self.looker.start()
        return call

    cdef int end(self, Call call) except -1:
        with self.lock:
            if call.outer is None:
                del self.calls[call.thread]
            else:
                self.calls[call.thread] = call.outer
            if call.why is not None:
                # It may have returned before the exception came: then nobody else may get it.
                PyThreadState_SetAsyncExc(call.thread, NULL)
        return 0

    cdef int strike(self, Call call, str why) except -1:
        if call.why is None:
            call.why = why
        PyThreadState_SetAsyncExc(call.thread, <PyObject *> Overdue)
        if self.knocks and call.thread == main_thread().ident:
            signal.pthread_kill(call.thread, KNOCK)
        return 0

    cdef bint awaited(self):
        """Whether the main thread is in a call that is to end."""
        cdef Call call = self.calls.get(main_thread().ident)
        return call is not None and call.why is not None

    def look(self):
        """Break off every call that takes too long, again and again: it may catch the exception."""
        cdef Call call
        while True:
            sleep(TICK)
            now = monotonic()
            with self.lock:
                self.idle = 0 if self.calls else self.idle + 1
                if self.idle > IDLE:
                    self.looker = None
                    return
                for call in self.calls.values():
                    if call.why is not None or now - call.begun > self.patience:
                        self.strike(call, f"it has not returned for {self.patience:g} s")

    def break_off(self):
        """Break off every call that the operator may be waiting for; return whether there was one."""
        cdef Call call
        found = False
        with self.lock:
            for call in self.calls.values():
                if monotonic() - call.begun > HURRY:
                    self.strike(call, "it was broken off")
                    found = True
        return found


@cache
def watch():
    """The watch of this process."""
    return Watch()


def knocked(number, frame):
    """In the main thread, at a signal: end what sleeps there, if that is overdue."""
    cdef Watch over = watch()
    if over.awaited():
        raise Overdue


def watched(function, *arguments):
    """Call a function from elsewhere and return its answer. NeverReturns if it takes too long."""
    cdef Watch over = watch()
    cdef Call call = over.begin()
    try:
        return function(*arguments)
    except Overdue as error:
        raise NeverReturns(call.why).with_traceback(error.__traceback__) from None
    finally:
        over.end(call)


def closed_output():
    """Whether standard output was closed; then it leads nowhere from now on, so that no file takes its place."""
    closed = sys.stdout is not None and getattr(sys.stdout, "closed", False)
    try:
        os.fstat(1)
    except OSError:
        closed = True
        os.open(os.devnull, os.O_WRONLY)
    return closed


def said(error):
    """An exception of somebody else's code in one line: kind, words, and the last place of theirs that it passed."""
    where = ""
    trace = error.__traceback__
    library = os.path.dirname(os.__file__)
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        ours = file.endswith(".pyx") or file.startswith("<frozen")
        if not ours and ("site-packages" in file or not file.startswith(library)):
            where = f" ({file}:{trace.tb_lineno})"
        trace = trace.tb_next
    if isinstance(error, NeverReturns):
        return f"{error}{where}"
    if isinstance(error, SystemExit):
        return f"it asked the program to exit{where}"
    try:
        words = " ".join(str(watched(str, error)).split())
    except KeyboardInterrupt:
        raise
    except BaseException:
        words = "an exception that cannot be shown"
    if len(words) > LONGEST:
        words = f"{words[:LONGEST]}..."
    return f"{type(error).__name__}: {words}{where}"
