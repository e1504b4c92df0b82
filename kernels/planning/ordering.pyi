ORDERS: tuple[str, ...]
