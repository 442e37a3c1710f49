const NAME_WIDTH = 46
const TIME_WIDTH = 8

export type Report = ReturnType<typeof createReport>

const duration = (milliseconds: number): string =>
  milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(2)} s`

/** Plain lines for a person: numbered steps with their time and result, and small tables. */
export const createReport = (write: (line: string) => void) => {
  let number = 0
  return {
    /** Steps below a heading are numbered from 1. */
    heading: (text: string): void => {
      number = 0
      write(`\n${text}\n${'─'.repeat(text.length)}`)
    },
    line: (text = ''): void => write(text),

    /** Runs one step and prints its result; names a failed step before it throws. */
    step: async <Result>(name: string, run: () => Promise<Result>, describe: (result: Result) => string): Promise<Result> => {
      number += 1
      const began = performance.now()
      const label = `${String(number).padStart(2)}  ${name.padEnd(NAME_WIDTH)}`
      try {
        const result = await run()
        write(`${label}${duration(performance.now() - began).padStart(TIME_WIDTH)}  ${describe(result)}`)
        return result
      } catch (error) {
        write(`${label}${duration(performance.now() - began).padStart(TIME_WIDTH)}  failed`)
        throw error
      }
    },

    /** Rows under a header, in columns. */
    table: (rows: string[][]): void => {
      const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
      for (const row of rows)
        write(
          `    ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join('   ')}`.trimEnd(),
        )
    },
  }
}
