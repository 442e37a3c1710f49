import { type Html, html } from '../../pages/html.ts'
import { identifier } from '../../pages/parts.ts'
import { assetAddress } from '../http/assets.ts'
import { GROUPS, type LiveScope, type Page } from '../view.ts'
import { clockTime } from './values.ts'

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='7' fill='%231b2430'/%3E%3Cpath d='M8 17l5 5 11-12' fill='none' stroke='%234fd1a5' stroke-width='4'/%3E%3C/svg%3E"

/** Without styles in the page and without code in attributes, which the policy refuses. */
const HTMX = '{"includeIndicatorCSS":false,"history":true}'

/** Who reads, as the frame of a page shows it. */
interface Reader {
  subject: string
  roles: readonly string[]
}

export interface Frame {
  title: string
  lead?: string | Html | undefined
  /** Pages of the navigation; none before the sign-in. */
  pages: readonly Page[]
  path: string
  reader: Reader | null
  /** Service time, epoch ms. */
  now: number
  live: LiveScope
  /** Address of the page itself, for its updates. */
  address: string
  /** Address of its JSON. */
  raw?: string | undefined
  /** What happened just now, above the heading. */
  notice?: Html | undefined
  body: Html
  usesWallet?: boolean | undefined
  /** Whether this console can move the time. */
  movesTime?: boolean
}

const navigation = (pages: readonly Page[], current: string): Html =>
  html`<nav class="side" aria-label="Console"><a class="brand" href="/">Console</a>${GROUPS.map((group) => {
    const shown = pages.filter((page) => page.group === group)
    return shown.length === 0
      ? ''
      : html`${group === 'Now' ? '' : html`<h2>${group}</h2>`}<ul>${shown.map(
          ({ path, name }) => html`<li><a href="${path}"${path === current ? { html: ' aria-current="page"' } : ''}>${name}</a></li>`,
        )}</ul>`
  })}</nav>`

const topLine = ({ reader, now, live, movesTime }: Frame): Html =>
  html`<div class="top"><form action="/search" role="search"><label for="search">Search for an id or address</label><input id="search" name="q" type="search" placeholder="Session, job, dispute, wallet" maxlength="300" autocomplete="off" spellcheck="false"><button>Find</button></form>
<span id="as-of" role="status" data-live="${live === 'none' ? '' : live === 'all' ? 'all' : 'sessionId' in live ? `session ${live.sessionId}` : `job ${live.jobId}`}">As of ${clockTime(now)}</span>${
    movesTime ? html`<a href="/time">Move the time</a>` : ''
  }${
    reader === null
      ? ''
      : html`<span>${identifier(reader.subject)} ${reader.roles.length === 0 ? 'no role' : reader.roles.join(', ')}</span><form action="/sign-out" method="post"><button class="plain">Sign out</button></form>`
  }</div>`

const KEYS = html`<dialog id="keys" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2><table><tbody>
<tr><th scope="row"><kbd>/</kbd></th><td>Search</td></tr><tr><th scope="row"><kbd>j</kbd> <kbd>k</kbd></th><td>Next row, row before</td></tr><tr><th scope="row"><kbd>Enter</kbd></th><td>Open the row</td></tr><tr><th scope="row"><kbd>t</kbd></th><td>Times as age, in UTC, or of this machine</td></tr><tr><th scope="row"><kbd>?</kbd></th><td>These keys</td></tr>
</tbody></table><form method="dialog"><button>Close</button></form></dialog>`

/** The part of a page that its updates replace. */
const content = ({ title, lead, address, body, raw, live, notice }: Frame): Html =>
  html`<div id="content-of-page"${
    live === 'none'
      ? ''
      : html` hx-get="${address}" hx-trigger="live from:body" hx-select="#content-of-page" hx-target="#content-of-page" hx-swap="outerHTML"`
  }>${notice ?? ''}<h1>${title}</h1>
${lead === undefined ? '' : html`<p class="lead">${lead}</p>`}
${body}
${raw === undefined ? '' : html`<p><a href="${raw}">The answer as JSON</a></p>`}</div>`

/** A whole page of the console. */
export const layout = (frame: Frame): string =>
  `<!doctype html>${
    html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><meta name="htmx-config" content="${HTMX}"><title>${frame.title} · Console</title><link rel="icon" href="${{ html: ICON }}"><link rel="stylesheet" href="${assetAddress('console.css')}"><script defer src="${assetAddress('htmx.js')}"></script><script defer src="${assetAddress('page.js')}"></script>${frame.usesWallet ? html`<script type="module" src="${assetAddress('wallet.js')}"></script>` : ''}</head><body>
<a class="skip" href="#content">Skip to the content</a>
<div class="console">${navigation(frame.pages, frame.path)}
<main id="content" tabindex="-1">${topLine(frame)}
<div id="notice" role="alert"></div>
${content(frame)}</main></div>
${KEYS}</body></html>`.html
  }`
