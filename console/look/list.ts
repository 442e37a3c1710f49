import type { OperationId } from '../../client/src/index.ts'
import { type Html, html } from '../../pages/html.ts'
import { type Cell, choices } from '../../pages/parts.ts'
import type { Content, Group, LiveScope, Page, View } from '../view.ts'
import { address } from './values.ts'

/** Rows of a list on one page. */
export const PAGE_ROWS = 30

/** A filter of a list, in its address by the name of the API's own parameter. */
interface Filter {
  name: string
  label: string
  /** Values to choose from; without them the filter is a text. */
  options?: readonly string[]
}

/** A list with filters that is asked for often, under a name. */
interface SavedView {
  name: string
  query: Readonly<Record<string, string>>
}

export interface Column<Row> {
  name: string
  cell: (row: Row, view: View) => Cell
  /** True for amounts and counts, which stand at the right. */
  isAmount?: boolean
}

interface Rows<Row> {
  rows: readonly Row[]
  nextCursor: string | null
}

export interface ListSpec<Row> {
  path: `/${string}`
  name: string
  title?: string
  lead?: string
  group?: Group
  operation: OperationId
  filters?: readonly Filter[]
  views?: readonly SavedView[]
  /** Reads one page; `input` has the filters of the address, the limit and the cursor. */
  read: (view: View, input: Record<string, string>) => Promise<Rows<Row>>
  columns: readonly Column<Row>[]
  /** What stands in the place of a table without rows: what it would hold, and what to do. */
  empty: string | Html
  /** Links to actions that concern the whole list. */
  acts?: (view: View) => Html | string
  /** What stands between filters and table, such as sums. It is read beside the rows. */
  above?: (view: View) => Promise<Html> | Html
  live?: LiveScope
}

/** A table whose rows the keys j and k walk through. */
export const table = <Row>(name: string, columns: readonly Column<Row>[], rows: readonly Row[], view: View, empty: string | Html): Html =>
  rows.length === 0
    ? html`<p>${empty}</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="${name}"><table><thead><tr>${columns.map(
        (column) => html`<th scope="col"${column.isAmount ? { html: ' class="amount"' } : ''}>${column.name}</th>`,
      )}</tr></thead><tbody class="rows">${rows.map(
        (row) =>
          html`<tr>${columns.map((column) => html`<td${column.isAmount ? { html: ' class="amount"' } : ''}>${column.cell(row, view)}</td>`)}</tr>`,
      )}</tbody></table></div>`

const field = ({ name, label, options }: Filter, value: string): Html =>
  options === undefined
    ? html`<div><label for="f-${name}">${label}</label><input id="f-${name}" name="${name}" value="${value}" maxlength="300" autocomplete="off" spellcheck="false"></div>`
    : html`<div><label for="f-${name}">${label}</label><select id="f-${name}" name="${name}"><option value="">any</option>${
        // A value of a newer API, or of a link, stays what it is.
        [...options, ...(value === '' || options.includes(value) ? [] : [value])].map(
          (option) =>
            html`<option value="${option}"${option === value ? { html: ' selected' } : ''}>${option.replaceAll('_', ' ')}</option>`,
        )
      }</select></div>`

const filterForm = (path: string, filters: readonly Filter[], query: Readonly<Record<string, string>>): Html | string =>
  filters.length === 0
    ? ''
    : html`<form class="filters" action="${path}" hx-get="${path}" hx-select="#content-of-page" hx-target="#content-of-page" hx-swap="outerHTML" hx-push-url="true">${filters.map((filter) => field(filter, query[filter.name] ?? ''))}<button>Filter</button></form>`

const savedViews = (path: string, views: readonly SavedView[], query: Readonly<Record<string, string>>): Html | string =>
  views.length === 0
    ? ''
    : choices('Saved views', [
        ['All', path, Object.keys(query).length === 0],
        ...views.map(
          (saved) =>
            [saved.name, address(path, saved.query), Object.entries(saved.query).every(([name, value]) => query[name] === value)] as const,
        ),
      ])

/** A page with a table, its filters in the address and its pages by the cursor of the API. */
export const list = <Row>(spec: ListSpec<Row>): Page => {
  const {
    path,
    name,
    title = name,
    lead,
    group,
    operation,
    filters = [],
    views = [],
    read,
    columns,
    empty,
    acts,
    above,
    live = 'all',
  } = spec
  const known = new Set([...filters.map((filter) => filter.name), ...views.flatMap(({ query }) => Object.keys(query))])
  const show = async (view: View): Promise<Content> => {
    const wanted = Object.fromEntries(Object.entries(view.query).filter(([member, value]) => known.has(member) && value !== ''))
    const { cursor } = view.query
    const input = { ...wanted, limit: String(PAGE_ROWS), ...(cursor !== undefined && cursor !== '' && { cursor }) }
    const [{ rows, nextCursor }, between = ''] = await Promise.all([read(view, input), above?.(view)])
    const next = nextCursor === null ? '' : html`<a class="go" href="${address(path, { ...wanted, cursor: nextCursor })}">Next rows</a>`
    const first = cursor === undefined ? '' : html`<a class="go" href="${address(path, wanted)}">First rows</a>`
    return {
      title,
      ...(lead !== undefined && { lead }),
      body: html`${acts?.(view) ?? ''}${savedViews(path, views, wanted)}${filterForm(path, filters, wanted)}${between}${table(title, columns, rows, view, empty)}
<p>${first} ${next}</p>`,
      // A later page stays as it is, so that rows do not move away under its reader.
      live: cursor === undefined ? live : 'none',
      raw: { operation, input },
    }
  }
  return { path, name, ...(group !== undefined && { group }), operations: [operation], show }
}
