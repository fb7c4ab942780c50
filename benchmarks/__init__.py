"""The speed of the harness, as ratios to something measured beside it, each with the bound that it must keep.

``python -m benchmarks`` prints them all; ``python -m benchmarks operation hashing`` some.
"""
