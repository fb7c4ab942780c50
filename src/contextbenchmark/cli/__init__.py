"""One file a verb: parse, call one function, print, exit code. Only here is anything printed."""
