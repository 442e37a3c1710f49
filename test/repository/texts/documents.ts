import { read } from '../files.ts'

/** Each text that the first group of a pattern finds. */
export const captured = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found]) => found ?? '')

/** Cells of the table rows in a text. */
export const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .slice(2, line.lastIndexOf('|'))
        .split(' | ')
        .map((cell) => cell.trim()),
    )

/** Text below a heading, up to the next one of its level or above. */
export const section = (page: string, title: string): string => {
  const lines = read(page).split('\n')
  const begin = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === title)
  if (begin === -1) throw new Error(`${page} has no section ${title}`)
  const level = lines[begin]?.indexOf(' ') ?? 0
  const end = lines.findIndex((line, index) => index > begin && /^#+ /.test(line) && line.indexOf(' ') <= level)
  return lines.slice(begin + 1, end === -1 ? undefined : end).join('\n')
}

/** Headings of a page outside its blocks of code. */
const headingsOf = (page: string): string[] =>
  captured(
    read(page)
      .split(/^```/m)
      .filter((_part, index) => index % 2 === 0)
      .join(''),
    /^#+ (.+)$/gm,
  )

/** Anchors of a page, as the code host makes them from its headings. */
export const anchorsOf = (page: string): string[] =>
  headingsOf(page).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
