"""How an image of a pod is called on the nodes.

Source: kubernetes v1.36 plugins/imagelocality normalizedImageName.
"""


def normalized_image_name(name: str) -> str:
    """Return the image's name with `:latest` where it has neither tag nor digest after the last slash."""
    return f"{name}:latest" if name.rfind(":") <= name.rfind("/") else name
