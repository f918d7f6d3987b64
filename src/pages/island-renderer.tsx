import { createStore } from "jotai";
import type { ComponentType, ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { createQueryClient } from "../../islands/api/query.ts";
import { Boundary } from "../../islands/shell/root/boundary.tsx";
import { PanelState } from "../../islands/shell/root/panel-state.tsx";
import type { RenderIsland } from "./page.ts";

/** An island that could not be rendered, and why. */
export interface IslandFailure {
  island: string;
  cause: string;
}

/** Renders the islands of one page. Each is a tree of its own, as it is in the browser: `useId` counts from its tree's root. */
export function createIslandRenderer(kind: "entrance" | "panel") {
  const names: string[] = [];
  const failures: IslandFailure[] = [];
  const client = createQueryClient();
  const store = createStore();
  const island: RenderIsland = renderIsland;
  return { island, names, failures, client };

  function renderIsland<Props extends object>(name: string, Island: ComponentType<Props>, props: Props): ReactNode {
    names.push(name);
    return (
      <>
        <div
          data-island={name}
          className="contents"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: React made this text, and escaped what is in it.
          dangerouslySetInnerHTML={{ __html: rendered(name, <Island {...props} />) }}
        />
        <script
          type="application/json"
          data-props={name}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: escaped below for where it stands.
          dangerouslySetInnerHTML={{ __html: jsonInHtml(props) }}
        />
      </>
    );
  }

  /** An island that fails here is left empty, and the browser tries it from the start; the rest of the page lives. */
  function rendered(name: string, content: ReactNode): string {
    try {
      return renderToString(<Boundary>{kind === "panel" ? withState(content) : content}</Boundary>, {
        identifierPrefix: `${name}-`,
      });
    } catch (error) {
      failures.push({ island: name, cause: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      return "";
    }
  }

  function withState(content: ReactNode): ReactNode {
    return (
      <PanelState client={client} store={store}>
        {content}
      </PanelState>
    );
  }
}

/** JSON that stays data inside a script element, whatever somebody called himself. */
export function jsonInHtml(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}
