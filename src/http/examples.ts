/* What /swagger and the API pages show. It is apart from the schemas, so that those pages do not load them. */

export const exampleVerdict = {
  valid: true,
  code: "VALID",
  message: "The key is valid on this device.",
  expiry: "2025-04-04T14:30:00.000Z",
  deviceLimit: 2,
  currentDevices: 1,
  release: null,
};

export const exampleUpdate = {
  id: 1,
  title: "Version 3.1 is out",
  message: "Restart the game to get it.",
  buttonText: "Read more",
  linkUrl: "https://example.com/news",
  isActive: true,
  createdAt: "2025-03-05T14:30:00.000Z",
  updatedAt: "2025-03-05T14:30:00.000Z",
};
