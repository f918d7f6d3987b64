import { exitCodes, OperatorError } from "../../core/operator-error.ts";
import type { Command, Commands } from "./command.ts";

const shells: Record<string, (commands: Commands) => string> = { bash: forBash, zsh: forZsh, fish: forFish };

/** `latchkey completions bash`: shell completions, generated from the commands. */
export function completionsOf(commands: () => Commands): Command {
  return {
    usage: "completions <shell>",
    summary: "Write shell completions for bash, zsh or fish",
    help: `bash: latchkey completions bash > /etc/bash_completion.d/latchkey
zsh:  latchkey completions zsh > /usr/local/share/zsh/site-functions/_latchkey
fish: latchkey completions fish > /etc/fish/completions/latchkey.fish`,
    operands: ["shell"],
    async run(system, [shell = ""]) {
      const script = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
      if (!script) {
        throw new OperatorError(`There are completions for ${Object.keys(shells).join(", ")}.`, exitCodes.wrongUsage);
      }
      system.print(script(commands()));
    },
  };
}

function forBash(commands: Commands): string {
  const cases = Object.entries(wordsAfter(commands)).map(
    ([words, next]) => `    "${words}") next="${next.join(" ")}" ;;`,
  );
  return `# bash completion for latchkey
_latchkey() {
  local next="" before="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  case "$before" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _latchkey latchkey`;
}

function forZsh(commands: Commands): string {
  const cases = Object.entries(wordsAfter(commands)).map(
    ([words, next]) => `    "${words}") next=(${next.join(" ")}) ;;`,
  );
  return `#compdef latchkey
_latchkey() {
  local -a next
  case "\${(j: :)words[2,CURRENT-1]}" in
${cases.join("\n")}
  esac
  compadd -a next || _files
}
compdef _latchkey latchkey`;
}

function forFish(commands: Commands): string {
  const lines = Object.entries(wordsAfter(commands)).flatMap(([words, next]) =>
    next.map((word) => {
      const about = summaryOf(`${words} ${word}`.trim(), commands);
      // The x stands for an empty list of words, which fish would leave out.
      const condition = `test (string join ' ' x (commandline -opc)[2..]) = '${`x ${words}`.trim()}'`;
      return `complete -c latchkey -f -n "${condition}" -a '${word}'${about ? ` -d '${about.replaceAll("'", "\\'")}'` : ""}`;
    }),
  );
  return ["# fish completion for latchkey", ...lines].join("\n");
}

/** The words that may follow others: commands by their first and second word, then options. */
function wordsAfter(commands: Commands): Record<string, string[]> {
  const after: Record<string, string[]> = { "": [] };
  const add = (before: string, word: string) => {
    const words = after[before] ?? [];
    after[before] = words.includes(word) ? words : [...words, word];
  };
  for (const [name, { options = {} }] of Object.entries(commands)) {
    const [first = "", second] = name.split(" ");
    add("", first);
    if (second) add(first, second);
    for (const option of [...Object.keys(options), "help"]) add(name, `--${option}`);
  }
  for (const shell of Object.keys(shells)) add("completions", shell);
  return after;
}

function summaryOf(name: string, commands: Commands): string | undefined {
  return Object.hasOwn(commands, name) ? commands[name]?.summary : undefined;
}
