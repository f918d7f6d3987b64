/** The languages that the samples are written in, in the order of their tabs. */
export const languages = {
  curl: "cURL",
  javascript: "JavaScript",
  kotlin: "Kotlin",
  swift: "Swift",
  csharp: "C#",
  cpp: "C++",
} as const;
export type Language = keyof typeof languages;

export const languageIds = Object.keys(languages) as Language[];

/** A call in each of them, as a program that can be copied whole. */
export type Samples = Record<Language, string>;
