"""Unsaved actions: asked about before they are left, kept on the disk, offered at the next start."""
