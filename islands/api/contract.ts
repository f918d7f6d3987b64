import type { PanelApi, PublicApi } from "../../src/swagger/api.ts";

/**
 * What the panel knows of the server, read off the application's own routes: every call under its method and path, such as
 * `"GET /api/admin/stats"`. A path or a field that is renamed there is a type error here. Types only: no script holds any of it.
 */
type Leaf = LeafIn<PublicApi["~Routes"]> | LeafIn<PanelApi["~Routes"]>;
type Routes = { [Each in Leaf as Each["call"]]: Each["route"] };

export type Call = keyof Routes;

/** What a call answers when it succeeds. */
export type AnswerOf<Name extends Call> = SuccessIn<Routes[Name]["response"]>;

export type BodyOf<Name extends Call> = Routes[Name]["body"];
export type QueryOf<Name extends Call> = Routes[Name]["query"];

/** What stands in the path. An id may be any text that somebody put into an address: to what is none the server answers 404. */
export type ParamsOf<Name extends Call> = {
  [Param in keyof Routes[Name]["params"]]: Routes[Name]["params"][Param] extends number
    ? number | string
    : Routes[Name]["params"][Param];
};

/** The parts that a call takes, and no others. One that may be empty may be left out. */
export type PartsOf<Name extends Call> = PartOf<"params", ParamsOf<Name>> &
  PartOf<"query", QueryOf<Name>> &
  PartOf<"body", BodyOf<Name>>;

/** What a function takes beside the name of a call: nothing, where the call takes nothing. */
export type Beside<Parts> = keyof Parts extends never
  ? []
  : Partial<Parts> extends Parts
    ? [sent?: Parts]
    : [sent: Parts];

/**
 * The calls that answer JSON, those of them that read, those that read a list page by page, and the calls that answer a file, by themselves
 * or with `format`; of what is sent in a body, too.
 */
export type JsonCall = Exclude<Call, CallAnswering<Response>>;
export type ReadCall = Extract<JsonCall, `GET ${string}`>;
export type ListCall = Extract<CallAnswering<unknown[]>, `GET ${string}`> & CallTaking<"cursor">;
export type FileCall = Extract<CallAnswering<Response> | CallTaking<"format">, `GET ${string}`> | PostedFileCall;
type PostedFileCall = Extract<CallAnswering<Response>, `POST ${string}`>;

type SuccessIn<Responses> = Responses[Extract<keyof Responses, 200 | 201>];
type CallAnswering<Answer> = { [Name in Call]: AnswerOf<Name> extends Answer ? Name : never }[Call];
type CallTaking<Filter extends string> = { [Name in Call]: Filter extends keyof QueryOf<Name> ? Name : never }[Call];

export type PartOf<Part extends string, Taken> = keyof Taken extends never
  ? unknown
  : Partial<Taken> extends Taken
    ? { [Name in Part]?: Taken }
    : { [Name in Part]: Taken };

interface Route {
  body: unknown;
  params: unknown;
  query: unknown;
  response: object;
}

/** Elysia keeps routes as a tree of the parts of their paths, in which the method comes last. */
type LeafIn<Tree, Path extends string = ""> = {
  [Part in keyof Tree & string]: Tree[Part] extends Route
    ? { call: `${Uppercase<Part>} ${Path}`; route: Tree[Part] }
    : LeafIn<Tree[Part], `${Path}/${Part}`>;
}[keyof Tree & string];
