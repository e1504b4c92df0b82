"""Pages over the whole screen: the browser of scenarios, details, help, lists, the palette."""
