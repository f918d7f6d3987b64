import { expect, test } from "bun:test";
import { acceptedLanguage, languageOf, languages } from "./languages.ts";

test.each([
  ["pt", "pt-BR"],
  ["PT-br", "pt-BR"],
  ["pt_PT", "pt-BR"],
  ["es_MX", "es"],
  ["in", "id"],
  ["zh-Hant-TW", null],
  ["english", null],
  ["ru; drop", null],
  ["", null],
])("the language of %p is %p", (tag, language) => {
  expect(languageOf(tag)).toBe(language as never);
});

test.each([
  ["fr-CA,fr;q=0.9,tr;q=0.8,en;q=0.7", "tr"],
  ["en;q=0.3, vi;q=0.9", "vi"],
  ["hi;q=0, ar", "ar"],
  ["*", null],
  ["x".repeat(10_000), null],
  [null, null],
])("of the header %p, %p is accepted", (header, language) => {
  expect(acceptedLanguage(header)).toBe(language as never);
});

/** The paths of all texts and, where they have some, their places: `page.expired {date}`. */
function placesOf(texts: object, path = ""): string[] {
  return Object.entries(texts).flatMap(([name, value]) =>
    typeof value === "object"
      ? placesOf(value, `${path}${name}.`)
      : [[path + name, ...(String(value).match(/\{\w+\}/g) ?? [])].sort().join(" ")],
  );
}

test.each(Object.keys(languages))(
  "the texts in %s have the same places as the English ones, and none is empty",
  (tag) => {
    const texts = languages[tag as keyof typeof languages];
    expect(placesOf(texts)).toEqual(placesOf(languages.en));
    for (const text of [
      ...Object.values(texts.verdicts),
      ...Object.values(texts.releases),
      ...Object.values(texts.page),
    ]) {
      expect(text.trim()).not.toBe("");
    }
  },
);

test("only texts that someone who knows the language has checked are marked as checked", () => {
  const checked = Object.entries(languages).filter(([, { isChecked }]) => isChecked);
  expect(checked.map(([tag]) => tag)).toEqual(["en"]);
});
