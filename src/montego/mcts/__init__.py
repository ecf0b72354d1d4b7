"""Monte-Carlo search: the strategies, and what is made of them."""
