"""What a comparison of two lanes comes to, by definition."""
