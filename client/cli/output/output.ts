/** Where a stream of text goes. */
export interface Sink {
  write(text: string): unknown
  isTTY?: boolean | undefined
}

/** What a command answers: one document for programs, and lines for people. */
export interface Report {
  /** Undefined when the command wrote its own output. */
  document: unknown
  lines: readonly string[]
  /** Exit code where it is not 0. */
  exit?: number
}

const REMOVED = '[secret]'
/** Shorter texts would remove parts of ordinary words; a passphrase that short protects nothing. */
const SHORTEST_SECRET = 4

/** JSON with integers above 2^53 as digits. `clean` changes texts, and no names of members. */
const toJson = (value: unknown, clean: (text: string) => string = (text) => text): string =>
  JSON.stringify(
    value,
    (_, member: unknown) => (typeof member === 'bigint' ? member.toString() : typeof member === 'string' ? clean(member) : member),
    2,
  )

export type Output = ReturnType<typeof createOutput>

/** Writes results to one stream, and remarks and failures to the other. Remarks and failures hold no registered secret; results are made without any. */
export const createOutput = ({ out, error, isJson, noColour }: { out: Sink; error: Sink; isJson: boolean; noColour: boolean }) => {
  const secrets = new Set<string>()
  const clean = (text: string): string => [...secrets].reduce((rest, secret) => rest.replaceAll(secret, REMOVED), text)
  const write = (sink: Sink, lines: readonly string[]): void => {
    if (lines.length > 0) sink.write(`${lines.join('\n')}\n`)
  }
  /** Writes a remark to standard error; nothing for programs, whose standard error holds problem documents alone. */
  const note = (...lines: string[]): void => write(error, isJson ? [] : lines.map(clean))
  return {
    isJson,
    /** Removes a text from all remarks and failures from now on, also in its JSON spelling and in other Unicode forms. */
    hide: (secret: string): void => {
      if (secret.length < SHORTEST_SECRET) return
      for (const form of [secret, ...(['NFC', 'NFD', 'NFKC', 'NFKD'] as const).map((name) => secret.normalize(name))]) {
        secrets.add(form)
        secrets.add(JSON.stringify(form).slice(1, -1))
      }
    },
    /** A heading, bold at a terminal. */
    bold: (text: string): string => (out.isTTY === true && !noColour && !isJson ? `\x1b[1m${text}\x1b[22m` : text),
    /** Writes the result of a command. */
    report: ({ document, lines }: Report): void => {
      if (document !== undefined) write(out, isJson ? [toJson(document)] : lines)
    },
    /** Writes what happens while a command runs, as a part of its result; nothing for programs. */
    progress: (line: string): void => write(out, isJson ? [] : [line]),
    note,
    /** Writes a remark on what others can read. */
    warn: (text: string): void => note(`Warning: ${text}`),
    /** Writes what a person has to see before a question. */
    show: (...lines: string[]): void => write(error, lines.map(clean)),
    /** Writes a failure. */
    fail: ({ document, lines }: Pick<Report, 'document' | 'lines'>): void =>
      write(error, isJson ? [toJson(document, clean)] : lines.map(clean)),
  }
}
