"""What all tests stand on."""

import signal

# a shell that starts the tests in the background has them ignore Ctrl-C, and Python then leaves it ignored
signal.signal(signal.SIGINT, signal.default_int_handler)
