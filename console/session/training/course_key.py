"""The key of a course: a word without which its answer sheet is not printed.

`course.toml` has the word's digest alone (scrypt, with a salt of its own), so that reading the file does not
give the word. The key guards the sheet, not the answers: whoever has the course and this program can take the
key out of a copy, and the copy's answers are the same.
"""

import hashlib
import hmac
import os
import secrets

from shadowtime.console.session.errors import SessionError
from shadowtime.scenarios import Course

VARIABLE = "SHADOWTIME_COURSE_KEY"
"""The environment variable that may hold the word."""
SCHEME = "scrypt"
COST = 1 << 14
SALT = 16
"""Bytes."""
LEAST = 6
"""Characters that a word has at least."""


class CourseKeyError(SessionError):
    """The word of a course is missing or wrong: one line."""


def lock_of(word: str, salt: bytes | None = None) -> str:
    """Return what `course.toml` has of a word: `scrypt:SALT:DIGEST`. CourseKeyError for a short word."""
    if len(word) < LEAST:
        raise CourseKeyError(f"the key has {len(word)} characters; expected {LEAST} or more")
    salt = secrets.token_bytes(SALT) if salt is None else salt
    return f"{SCHEME}:{salt.hex()}:{_digest(word, salt).hex()}"


def require_key(course: Course, word: str | None = None) -> None:
    """Return if a course has no key, or if the word opens it: `word`, else that of the environment.

    CourseKeyError if it does not.
    """
    if not course.key:
        return
    given = os.environ.get(VARIABLE, "") if word is None else word
    if not given:
        raise CourseKeyError(f"{course.title}: its answers need the key of the course; expected {VARIABLE}")
    _, salt, digest = course.key.split(":")
    if not hmac.compare_digest(_digest(given, bytes.fromhex(salt)), bytes.fromhex(digest)):
        raise CourseKeyError(f"{course.title}: this is not the key of the course")


def _digest(word: str, salt: bytes) -> bytes:
    return hashlib.scrypt(word.encode(), salt=salt, n=COST, r=8, p=1, dklen=32)
