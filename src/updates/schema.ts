import { type Static, Type } from "@sinclair/typebox";
import { nonBlank, oneLine, severalLines, visibleLine, visibleLines } from "../core/field.ts";
import type { FieldProblem } from "../core/refusal.ts";
import { isWebAddress } from "../core/text.ts";
import { Instant, pagingFields } from "../http/schema.ts";

/** A title is under 100 characters, a message under 500. */
export const titleCharactersMax = 99;
export const messageCharactersMax = 499;

/** The limit that the form's counter shows: N/500. */
export const messageCharactersUnder = 500;
const linkCharactersMax = 2048;
const buttonCharactersMax = 50;

export const UpdateForm = Type.Object({
  title: Type.RegExp(visibleLine, {
    minLength: 1,
    maxLength: titleCharactersMax,
    pattern: oneLine,
    examples: ["Version 3.1 is out"],
    says: {
      required: "Title is required",
      wrong: "Title must be one line without invisible characters",
      isText: true,
      tooLarge: "Title must be less than 100 characters",
    },
  }),
  message: Type.RegExp(visibleLines, {
    minLength: 1,
    maxLength: messageCharactersMax,
    pattern: severalLines,
    examples: ["Restart the game to get it."],
    says: {
      required: "Message is required",
      wrong: "Message may not contain invisible characters",
      isText: true,
      tooLarge: "Message must be less than 500 characters",
    },
  }),
  buttonText: Type.Optional(
    Type.Union([Type.Null(), Type.RegExp(visibleLine, { maxLength: buttonCharactersMax, pattern: oneLine })], {
      examples: ["Read more"],
      says: { wrong: `Button text must be one line of at most ${buttonCharactersMax} characters`, isText: true },
    }),
  ),
  linkUrl: Type.Optional(
    Type.Union([Type.String({ maxLength: linkCharactersMax }), Type.Null()], {
      examples: ["https://example.com/news"],
      says: { wrong: "Please enter a valid URL" },
    }),
  ),
  isActive: Type.Optional(Type.Boolean({ examples: [true], says: { wrong: "isActive must be true or false" } })),
});

export type UpdateForm = Static<typeof UpdateForm>;

/**
 * Checks that the schema cannot express (rules.md: Online updates): a text of spaces only is empty, a button needs a
 * link, and a link is an http or https address.
 */
export function problemsInUpdate(form: UpdateForm): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (nonBlank(form.title) === undefined) problems.push({ path: "title", message: "Title is required" });
  if (nonBlank(form.message) === undefined) problems.push({ path: "message", message: "Message is required" });
  const link = nonBlank(form.linkUrl);
  if (link === undefined && nonBlank(form.buttonText) !== undefined) {
    problems.push({ path: "linkUrl", message: "Link URL is required when button text is provided" });
  }
  if (link !== undefined && !isWebAddress(link)) {
    problems.push({ path: "linkUrl", message: "Please enter a valid URL" });
  }
  return problems;
}

export const Update = Type.Object({
  id: Type.Integer({ examples: [1] }),
  title: Type.String({ examples: ["Version 3.1 is out"] }),
  message: Type.String({ examples: ["Restart the game to get it."] }),
  buttonText: Type.Optional(Type.String({ examples: ["Read more"] })),
  linkUrl: Type.Optional(Type.String({ examples: ["https://example.com/news"] })),
  isActive: Type.Boolean(),
  createdAt: Instant,
  updatedAt: Instant,
});

export type Update = Static<typeof Update>;

export const UpdateListQuery = Type.Object(pagingFields);
export type UpdateListQuery = Static<typeof UpdateListQuery>;
