/**
 * The update in the examples of /swagger and the API pages. It is apart from the schema, so that those pages do not
 * load it.
 */
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
