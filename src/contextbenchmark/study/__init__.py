"""Part B: is the context worth it? A registered question, paired sessions, a verdict with its error rate."""
