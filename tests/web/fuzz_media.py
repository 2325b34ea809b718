"""How a model file is sent."""

import schemathesis


@schemathesis.serializer("application/toml")
def toml(_context, value):
    if isinstance(value, bytes):
        return value
    return (value if isinstance(value, str) else repr(value)).encode("utf-8", "surrogatepass")
