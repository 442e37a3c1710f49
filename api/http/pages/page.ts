import { createHash } from 'node:crypto'
import { type Html, html } from './html.ts'

const STYLE = `
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
table { width: 100%; border-collapse: collapse; margin: .5rem 0 1.5rem } th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent) }
th { font-weight: 600; width: 16rem } h2 { margin-top: 2rem } code { font: 13px ui-monospace, monospace }
`

/** A page of one document loads nothing: its style stands in it. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** A page with a title as its heading. */
export const page = (title: string, body: Html): string =>
  `<!doctype html>${
    html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${{ html: STYLE }}</style></head><body>
<h1>${title}</h1>
${body}
</body></html>`.html
  }`

type Cell = string | number | Html

/** A table of names and values; rows without a value are left out. */
export const factTable = (facts: readonly (readonly [name: string, value: Cell | null | undefined])[]): Html => {
  const shown = facts.flatMap(([name, value]) => (value === null || value === undefined ? [] : [[name, value] as const]))
  return html`<table><tbody>${shown.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</tbody></table>`
}

/** A table with a head; a sentence in its place without rows. */
export const rowTable = (head: readonly string[], rows: readonly (readonly Cell[])[], empty: string): Html =>
  rows.length === 0
    ? html`<p>${empty}</p>`
    : html`<table><thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${rows.map(
        (row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`,
      )}</tbody></table>`
