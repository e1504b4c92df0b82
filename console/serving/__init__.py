"""The console in a browser: a server of pages, each of which is a console in a process of its own."""
