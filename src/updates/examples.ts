/** The update that /swagger and the API pages show. */
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
