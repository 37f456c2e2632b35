import type { Command } from "commander";
import { didYouMean } from "../../spec/nearest.ts";
import { UsageError } from "../../spec/usage-error.ts";
import { flagOf } from "../options/names.ts";
import { OPTION_NAMES, optionOf } from "../options/options.ts";
import { printAsIs } from "../output.ts";

interface Completed {
  name: string;
  about: string;
  flags: CompletedFlag[];
  files: boolean;
}

interface CompletedFlag {
  long: string;
  about: string;
  takes: "nothing" | "file" | "anything" | readonly string[];
}

const SHELLS: Readonly<Record<string, (program: string, commands: readonly Completed[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/**
 * Prints the script that completes commands in this shell.
 * @throws UsageError if the shell is not known.
 */
export function completionCommand(shell: string, program: Command): number {
  const script = SHELLS[shell];
  if (!script) {
    const names = Object.keys(SHELLS);
    throw new UsageError(
      `completion is for ${names.join(", ")}, not for ${shell}${didYouMean(shell, names)}`,
    );
  }
  printAsIs(script(program.name(), completedCommands(program)));
  return 0;
}

/** Returns each command with its flags, and what these take. */
function completedCommands(program: Command): Completed[] {
  const words = new Map(
    OPTION_NAMES.map((name) => {
      const { enum: own, items } = optionOf(name).kind.schema as {
        enum?: string[];
        items?: { enum?: string[] };
      };
      return [flagOf(name), own ?? items?.enum];
    }),
  );
  return program.commands.map((command) => ({
    name: command.name(),
    about: command.description(),
    files: command.registeredArguments.some((argument) => /report|old|new|certificate/.test(argument.name())),
    flags: command.options.flatMap(({ long, flags, description }) => {
      if (!long) return [];
      const takes: CompletedFlag["takes"] = !/[<[]/.test(flags)
        ? "nothing"
        : (words.get(long) ?? (/[<[](?:file|dir)[>\]]/.test(flags) ? "file" : "anything"));
      return [{ long, about: description, takes }];
    }),
  }));
}

interface Forms {
  file: string;
  anything: string;
  words(words: string): string;
}

function formOf(takes: CompletedFlag["takes"], { file, anything, words }: Forms): string {
  if (takes === "nothing") return "";
  if (takes === "file") return file;
  return takes === "anything" ? anything : words(takes.join(" "));
}

function bashScript(program: string, commands: readonly Completed[]): string {
  const values = new Map(commands.flatMap(({ flags }) => flags.map((flag) => [flag.long, flag.takes])));
  const cases = [...values].flatMap(([long, takes]) => {
    if (takes === "nothing") return [];
    const answer = formOf(takes, {
      file: 'compgen -f -- "$word"',
      anything: "true",
      words: (words) => `compgen -W "${words}" -- "$word"`,
    });
    return [`    ${long}) mapfile -t COMPREPLY < <(${answer}); return ;;`];
  });
  const flags = commands.map(
    ({ name, flags: own, files }) =>
      `    ${name}) words="${own.map(({ long }) => long).join(" ")}"; files=${files ? 1 : ""} ;;`,
  );
  return `# bash completion for ${program}: source <(${program} completion bash)
_payments_conformance() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" words files=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "${commands.map(({ name }) => name).join(" ")}" -- "$word")
    return
  fi
  case "$before" in
${cases.join("\n")}
  esac
  case "\${COMP_WORDS[1]}" in
${flags.join("\n")}
    *) return ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word"; [ -z "$files" ] || compgen -f -- "$word")
}
complete -o filenames -F _payments_conformance ${program}
`;
}

function zshScript(program: string, commands: readonly Completed[]): string {
  const quoted = (text: string) => `'${text.replace(/[[\]:\\]/g, "\\$&").replaceAll("'", "'\\''")}'`;
  const spec = ({ long, about, takes }: CompletedFlag) => {
    const value = formOf(takes, {
      file: ":file:_files",
      anything: ":value: ",
      words: (words) => `:value:(${words})`,
    });
    return `        '*'${quoted(long)}${takes === "nothing" ? "" : "="}'['${quoted(about)}']${value}'`;
  };
  const cases = commands.map(({ name, flags, files }) => {
    const specs = [...flags.map(spec), ...(files ? ["        '*:file:_files'"] : [])];
    return specs.length === 0
      ? `    ${name}) ;;`
      : `    ${name})\n      _arguments \\\n${specs.join(" \\\n")} ;;`;
  });
  return `#compdef ${program}
# zsh completion for ${program}: source <(${program} completion zsh), after compinit
_payments_conformance() {
  if (( CURRENT == 2 )); then
    local -a commands=(
${commands.map(({ name, about }) => `      ${quoted(name)}:${quoted(about)}`).join("\n")}
    )
    _describe command commands
    return
  fi
  local command=$words[2]
  words=("\${(@)words[2,-1]}")
  (( CURRENT-- ))
  case $command in
${cases.join("\n")}
  esac
}
compdef _payments_conformance ${program}
`;
}

function fishScript(program: string, commands: readonly Completed[]): string {
  const quoted = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;
  const lines = commands.flatMap(({ name, about, flags, files }) => {
    const here = `complete -c ${program} -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c ${program} -n __fish_use_subcommand -f -a ${name} -d ${quoted(about)}`,
      ...(files ? [] : [`${here} -f`]),
      ...flags.map(({ long, about: meaning, takes }) => {
        const value = formOf(takes, {
          file: " -r -F",
          anything: " -x",
          words: (words) => ` -x -a ${quoted(words)}`,
        });
        return `${here} -l ${long.slice(2)}${value} -d ${quoted(meaning)}`;
      }),
    ];
  });
  return `# fish completion for ${program}: ${program} completion fish | source\n${lines.join("\n")}\n`;
}
