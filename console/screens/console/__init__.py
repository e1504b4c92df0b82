"""The console: the screen of a session, and the objects that it is put together from."""
