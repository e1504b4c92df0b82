"""Calls of code from elsewhere, which may never return, may exit, and may raise what cannot be shown.

Such code runs in the thread that needs its answer. Another thread looks whether it returns, and raises an
exception in it if it does not. No answer depends on that: it is an error, or it is the same.

Time is what the call computes: the processor time of its thread. A call that waits computes nothing; its time is
that of the looking thread's ticks. Neither grows while the process is stopped, or while others have the processor.
"""

cdef extern from "Python.h":
    ctypedef struct PyObject
    int PyThreadState_SetAsyncExc(unsigned long thread, PyObject *exception)

from posix.unistd cimport close, dup, dup2

import os
import signal
import sys
import time
from functools import cache
from threading import Lock, Thread, get_ident, main_thread

PATIENCE = 5.0
"""Seconds that a call may compute."""
WAITING = 12
"""A call may wait so many times longer."""
VARIABLE = "SHADOWTIME_PATIENCE"
# A shorter call is no reason for whoever presses Esc.
HURRY = 0.2
TICK = 0.1
# Of a tick: a thread that computes less waits.
LEAST = 0.01
# Ticks without a call after which nobody looks any more.
IDLE = 50
# Ticks after which the process ends though a call has swallowed what a signal raised, again and again.
GRACE = 30
LONGEST = 400
KNOCK = getattr(signal, "SIGVTALRM", None)


class Overdue(BaseException):
    """Raised inside code that has not returned."""


class Failure(Exception):
    """Code from elsewhere has failed: what it did, in one line."""


class NeverReturns(Failure):
    """Code from elsewhere has not returned: for how long, or that it was broken off."""


cdef class Call:
    """A call under way: its thread, what it has used, why it was broken off, and the call around it."""
    cdef unsigned long thread
    cdef double begun       # by the clock of the world, for whoever presses Esc
    cdef object clock       # of the processor time of its thread; None where threads have none
    cdef double seen        # that time when it was last looked at; negative before
    cdef double computed
    cdef int waits, asked   # ticks in which it waited; ticks since a signal asked it to end
    cdef str why
    cdef object signalled   # what a signal has raised in it
    cdef int code           # the exit code that goes with that
    cdef int output, errors  # copies of standard output, which leads elsewhere during the call, and of standard error
    cdef object streams
    cdef Call outer

    def __cinit__(self):
        self.seen = self.output = self.errors = -1

    cdef double used(self) except -1:
        return time.process_time() if self.clock is None else time.clock_gettime(self.clock)

    cdef int look(self) except -1:
        """A tick has passed."""
        cdef double now = self.used()
        if self.seen >= 0:
            self.computed += now - self.seen
            self.waits += now - self.seen < LEAST * TICK
        self.seen = now
        self.asked += self.signalled is not None
        return 0


cdef class Watch:
    """The calls under way in all threads, and the thread that looks at them."""
    cdef object lock, looker
    cdef dict calls
    cdef readonly double patience
    cdef public bint diverts
    """Whether standard output leads to standard error while a call runs in the main thread."""
    cdef public bint closed
    """Whether a call has closed standard output."""
    cdef int idle
    cdef bint knocks

    def __cinit__(self):
        given = os.environ.get(VARIABLE, "")
        self.patience = float(given) if given.replace(".", "", 1).isdecimal() and float(given) > 0 else PATIENCE
        self.lock = Lock()
        self.calls = {}
        self.looker = None

    cdef Call begin(self):
        cdef Call call = Call()
        call.thread = get_ident()
        call.begun = time.monotonic()
        if hasattr(time, "pthread_getcpuclockid"):
            call.clock = time.pthread_getcpuclockid(call.thread)
        if not self.knocks and KNOCK is not None and call.thread == main_thread().ident:
            # What sleeps in the main thread wakes up for a signal alone.
            self.knocks = signal.getsignal(KNOCK) in (signal.SIG_DFL, knocked)
            if self.knocks:
                signal.signal(KNOCK, knocked)
        with self.lock:
            self.idle = 0
            if self.looker is None:
                self.looker = Thread(target=self._look, name="watch", daemon=True)
                self.looker.start()
            call.outer = self.calls.get(call.thread)
            self.calls[call.thread] = call
        if self.diverts and call.outer is None and call.thread == main_thread().ident:
            self._divert(call)
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
        if call.streams is not None:
            self._give_back(call)
        return 0

    cdef int _divert(self, Call call) except -1:
        """What the call writes to standard output goes to standard error."""
        call.streams = sys.stdout, sys.stderr
        flushed(sys.__stdout__)
        call.output, call.errors = dup(1), dup(2)
        dup2(2, 1)
        return 0

    cdef int _give_back(self, Call call) except -1:
        """Standard output is what it was before the call."""
        sys.stdout, sys.stderr = call.streams
        self.closed = self.has_closed()
        flushed(sys.__stdout__)
        restore(call.output, 1)
        return restore(call.errors, 2)

    cdef bint has_closed(self) except -1:
        """Whether a call has closed standard output; then it leads nowhere from now on, so that no file takes its place."""
        closed = self.closed or sys.stdout is not None and getattr(sys.stdout, "closed", False)
        self.closed = False
        try:
            os.fstat(1)
        except OSError:
            closed = True
            os.open(os.devnull, os.O_WRONLY)
        return closed

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

    def _look(self):
        """Break off every call that takes too long, again and again: it may catch the exception."""
        cdef Call call
        while True:
            time.sleep(TICK)
            with self.lock:
                self.idle = 0 if self.calls else self.idle + 1
                if self.idle > IDLE:
                    self.looker = None
                    return
                for call in self.calls.values():
                    call.look()
                    if call.asked > GRACE:
                        os._exit(call.code)
                    if call.why is not None or call.computed > self.patience:
                        self.strike(call, f"it has not returned for {self.patience:g} s of computing")
                    elif call.waits * TICK > WAITING * self.patience:
                        self.strike(call, f"it has not returned for {WAITING * self.patience:g} s of waiting")

    def break_off(self):
        """Break off every call that the operator may be waiting for; return whether there was one."""
        cdef Call call
        found = False
        with self.lock:
            for call in self.calls.values():
                if time.monotonic() - call.begun > HURRY:
                    self.strike(call, "it was broken off")
                    found = True
        return found

    def within(self):
        """Whether code from elsewhere has called this, as far as is known: in a call, or in a thread of its own."""
        return get_ident() != main_thread().ident or get_ident() in self.calls

    def end_calls(self, error, int code):
        """Raise an error at the end of every call in the main thread, whatever the call makes of it."""
        # Without the lock: the handler of a signal may have come in the middle of `begin`.
        cdef Call call = self.calls.get(main_thread().ident)
        while call is not None:
            if call.signalled is None:
                call.signalled, call.code, call.why = error, code, "it was ended"
            call = call.outer


@cache
def watch():
    """The watch of this process."""
    return Watch()


def knocked(number, frame):
    """In the main thread, at a signal: end what sleeps there, if that is overdue."""
    cdef Watch over = watch()
    if over.awaited():
        raise Overdue


def interrupt(error, code):
    """Raise an error in the main thread, from the handler of a signal.

    Code from elsewhere that is being called there cannot keep it, or pass it off as its own. If it goes on for
    some seconds all the same, the process ends with the exit code.
    """
    watch().end_calls(error, code)
    raise error


cdef tuple attempt(function, tuple arguments):
    """Call a function from elsewhere: its answer and None, or None and what it raised."""
    cdef Watch over = watch()
    cdef Call call = over.begin()
    answer = raised = None
    try:
        answer = function(*arguments)
    except BaseException as error:
        raised = error
    finally:
        over.end(call)
    if call.signalled is not None:
        raise call.signalled
    if type(raised) is KeyboardInterrupt and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        raise raised
    if type(raised) is Overdue and call.why is not None:
        raised = NeverReturns(call.why).with_traceback(raised.__traceback__)
    return answer, raised


def watched(function, *arguments):
    """Call a function from elsewhere and return its answer.

    Failure if it raises anything, NeverReturns if it takes too long. What the handler of a signal raises by
    `interrupt` is raised as it is, and so is a KeyboardInterrupt of Python's own handler.
    """
    cdef Watch over = watch()
    answer, raised = attempt(function, arguments)
    closed = over.has_closed()
    if raised is not None:
        raise (NeverReturns if type(raised) is NeverReturns else Failure)(said(raised)) from raised
    if closed:
        raise Failure("it closed standard output")
    return answer


cdef int restore(int copy, int number) except -1:
    """Have a file descriptor lead where its copy leads."""
    if copy >= 0:
        dup2(copy, number)
        close(copy)
    return 0


cdef int flushed(stream) except -1:
    """Have a stream write what it holds back, if it can."""
    try:
        stream.flush()
    except (AttributeError, OSError, ValueError):
        pass
    return 0


cdef str part(function, error, str otherwise):
    """A text that code from elsewhere may have a hand in."""
    answer, raised = attempt(function, (error,))
    return otherwise if raised is not None else answer


# `str(x)` may be of a class from elsewhere; `str.__str__` makes a plain text of it.
def _kind(error):
    return str.__str__(type(error).__name__)


def _words(error):
    return " ".join(str.__str__(str(error)).split())


def _place(error):
    where = ""
    trace = error.__traceback__
    library = os.path.dirname(os.__file__)
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        ours = file.endswith(".pyx") or file.startswith("<frozen")
        if not ours and ("site-packages" in file or not file.startswith(library)):
            where = f" ({file}:{trace.tb_lineno})"
        trace = trace.tb_next
    return where


def said(error):
    """An exception of somebody else's code in one line: kind, words, and the last place of theirs that it passed."""
    where = part(_place, error, "")
    if type(error) is NeverReturns:
        return f"{error}{where}"
    if issubclass(type(error), SystemExit):
        return f"it asked the program to exit{where}"
    words = part(_words, error, "an exception that cannot be shown")
    if len(words) > LONGEST:
        words = f"{words[:LONGEST]}..."
    return f"{part(_kind, error, 'an exception')}: {words}{where}"
