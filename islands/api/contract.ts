import type { PanelApi, PublicApi } from "../../src/swagger/api.ts";

/**
 * The server's API, as derived from the types of its routes: every call under its method and path, such as
 * `"GET /api/admin/stats"`. A path or a field that is renamed there is a type error here. Types only: none of it is in
 * a script.
 */
type Leaf = LeafIn<PublicApi["~Routes"]> | LeafIn<PanelApi["~Routes"]>;
type Routes = { [Each in Leaf as Each["call"]]: Each["route"] };

export type Call = keyof Routes;

/** The body of a successful response. */
export type ResponseOf<Name extends Call> = SuccessIn<Routes[Name]["response"]>;

export type BodyOf<Name extends Call> = Routes[Name]["body"];
export type QueryOf<Name extends Call> = Routes[Name]["query"];

/** The parameters in the path. An id from an address may be any text; for an invalid one the server returns 404. */
export type ParamsOf<Name extends Call> = {
  [Param in keyof Routes[Name]["params"]]: Routes[Name]["params"][Param] extends number
    ? number | string
    : Routes[Name]["params"][Param];
};

/** The parts that a call takes, and no others. One without required fields may be left out. */
export type PartsOf<Name extends Call> = PartOf<"params", ParamsOf<Name>> &
  PartOf<"query", QueryOf<Name>> &
  PartOf<"body", BodyOf<Name>>;

/** The arguments of a function after the name of a call: none if the call takes no parts. */
export type RestOf<Parts> = keyof Parts extends never
  ? []
  : Partial<Parts> extends Parts
    ? [sent?: Parts]
    : [sent: Parts];

/**
 * The calls that return JSON, those of them that read, those that read a list page by page, and the calls that return a
 * file, always or with `format`.
 */
export type JsonCall = Exclude<Call, CallReturning<Response>>;
export type ReadCall = Extract<JsonCall, `GET ${string}`>;
export type ListCall = Extract<CallReturning<unknown[]>, `GET ${string}`> & CallTaking<"cursor">;
export type FileCall = Extract<CallReturning<Response> | CallTaking<"format">, `GET ${string}`> | PostedFileCall;
type PostedFileCall = Extract<CallReturning<Response>, `POST ${string}`>;

type SuccessIn<Responses> = Responses[Extract<keyof Responses, 200 | 201 | 202>];
type CallReturning<Result> = { [Name in Call]: ResponseOf<Name> extends Result ? Name : never }[Call];
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

/** Elysia types routes as a tree of path segments, with the method last. */
type LeafIn<Tree, Path extends string = ""> = {
  [Part in keyof Tree & string]: Tree[Part] extends Route
    ? { call: `${Uppercase<Part>} ${Path}`; route: Tree[Part] }
    : LeafIn<Tree[Part], `${Path}/${Part}`>;
}[keyof Tree & string];
