"""Problems that are real, each with the figures that its page of the documentation shows."""
