/** Columns of every line for people. */
export const LINE_WIDTH = 100

const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]/u

/** Text of others without characters that move a cursor, colour a terminal or reverse its direction. */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')

/** The same with its line breaks as spaces. */
export const oneLine = (text: string): string => printable(text.replaceAll(/\s+/g, ' ').trim())

/** Columns that a text takes at a terminal. */
export const columnsOf = (text: string): number =>
  [...segments.segment(text)].reduce((sum, { segment }) => sum + (WIDE.test(segment) ? 2 : 1), 0)

/** The beginning of a text that fits, with an ellipsis where something is cut off. */
export const truncate = (text: string, columns: number): string => {
  if (columnsOf(text) <= columns) return text
  let kept = ''
  for (const { segment } of segments.segment(text)) {
    if (columnsOf(kept + segment) > columns - 1) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

/** Lines of at most `columns`, broken at spaces; a longer word keeps its line. Each line begins with `indent`. */
export const wrap = (text: string, { indent = '', columns = LINE_WIDTH } = {}): string[] => {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && columnsOf(indent + longer) > columns) {
      lines.push(indent + line)
      line = word
    } else line = longer
  }
  return line === '' ? lines : [...lines, indent + line]
}

const pad = (text: string, columns: number): string => text + ' '.repeat(Math.max(0, columns - columnsOf(text)))

/** Aligned pairs of name and value. Pairs without a value are left out. Long values continue below their first line. */
export const formatPairs = (
  pairs: readonly (readonly [name: string, value: string | null | undefined])[],
  columns: number = LINE_WIDTH,
): string[] => {
  const shown = pairs.filter((pair): pair is readonly [string, string] => pair[1] != null && pair[1] !== '')
  const width = Math.max(...shown.map(([name]) => columnsOf(name)), 0) + 2
  return shown.flatMap(([name, value]) => {
    const [first = '', ...rest] = wrap(oneLine(value), { columns: columns - width })
    return [pad(name, width) + first, ...rest.map((line) => ' '.repeat(width) + line)]
  })
}

export interface Column<Row> {
  title: string
  value: (row: Row) => string
  align?: 'right'
  /** Whether the column is cut when the table is too wide. Names that people copy never are. */
  shrinks?: boolean
}

const SHORTEST = 12

/** Aligned table with a line of titles. */
export const formatTable = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string[] => {
  const cells = [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ value }) => oneLine(value(row))))]
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => columnsOf(row[index] ?? ''))))
  const total = widths.reduce((sum, width) => sum + width, 0) + 2 * (columns.length - 1)
  const fits = columns.map(({ shrinks }, index) => {
    const width = widths[index] ?? 0
    return shrinks ? Math.max(Math.min(SHORTEST, width), width - Math.max(0, total - LINE_WIDTH)) : width
  })
  return cells.map((row) =>
    row
      .map((cell, index) => {
        const width = fits[index] ?? 0
        const text = truncate(cell, width)
        return columns[index]?.align === 'right' ? text.padStart(width) : pad(text, width)
      })
      .join('  ')
      .trimEnd(),
  )
}
