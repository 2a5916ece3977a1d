"""The museum of wrong verifiers: one function per mistake, each with its exact bias."""
