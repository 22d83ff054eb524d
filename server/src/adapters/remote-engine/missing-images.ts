/** An image that the registry does not have, or not for this login, may still be pushed within this time. */
export const NOT_FOUND_MS = 120_000;

/** Texts of registries as Docker, Podman and containerd pass them on. An unknown host or authority is no answer. */
export const IMAGE_NOT_FOUND =
  /not ?found|(?:manifest|name|repository) unknown|does not exist|no such (?:image|manifest)|denied|unauthorized|invalid reference/i;
