import { createHash } from 'node:crypto'

/** Style of every page. Sizes, colours and states are described in docs/design.md. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1b2430; --soft: #56626f; --line: #d5dce4; --card: #ffffff; --page: #f6f7f9; --mark: #0b6147; --on: #ffffff; --warn: #8a4300; --bad: #a4201d; --code: #edf0f4 }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #e7ecf2; --soft: #a3b0bd; --line: #2f3945; --card: #171d25; --page: #0f141a; --mark: #4fd1a5; --on: #0f141a; --warn: #f0a860; --bad: #ff9a92; --code: #202833 } }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--page); overflow-wrap: anywhere }
a { color: var(--mark); text-underline-offset: 3px } a:focus-visible, summary:focus-visible, pre:focus-visible, .id:focus-visible, button:focus-visible, .scroll:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px; border-radius: 4px }
.skip { position: absolute; left: -99rem } .skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: .5rem 1rem }
.bar { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: baseline; padding: .9rem 1.25rem; border-bottom: 1px solid var(--line); background: var(--card) }
.bar .brand { font-weight: 700; margin-right: auto; color: var(--ink); text-decoration: none } .bar a { padding: .15rem 0 }
main { max-width: 62rem; margin: 0 auto; padding: 1.75rem 1.25rem 3rem }
footer { border-top: 1px solid var(--line); padding: 1rem 1.25rem 2rem; color: var(--soft); font-size: 14px; max-width: 62rem; margin: 0 auto }
h1 { font-size: 2rem; line-height: 1.2; letter-spacing: -.02em; margin: 0 0 .5rem } h2 { font-size: 1.3rem; line-height: 1.3; margin: 2.25rem 0 .6rem } h3 { font-size: 1rem; margin: 1.25rem 0 .3rem }
.lead { font-size: 1.125rem; color: var(--soft); margin: 0 0 1.25rem; max-width: 44rem } .soft { color: var(--soft) } p { max-width: 44rem }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 12rem), 1fr)); gap: .9rem; margin: 1rem 0; padding: 0; list-style: none }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .9rem 1.1rem } .card b { display: block; font-size: 1.5rem; line-height: 1.25 }
.scroll { overflow-x: auto } table { width: 100%; border-collapse: collapse; margin: .5rem 0 1rem; font-size: 15px } th, td { text-align: left; vertical-align: top; padding: .5rem 1rem .5rem 0; border-top: 1px solid var(--line) } thead th { border-top: 0; color: var(--soft); font-weight: 600; font-size: 13px; white-space: nowrap } tbody th { font-weight: 600; width: 13rem } td { overflow-wrap: break-word } td:first-child { min-width: 11rem } td:first-child, .facts td { overflow-wrap: anywhere }
@media (max-width: 34rem) { .facts tr { display: block; border-top: 1px solid var(--line); padding: .4rem 0 } .facts th, .facts td { display: block; width: auto; border: 0; padding: .1rem 0 } h1 { font-size: 1.6rem } .bar .brand { width: 100% } .members thead { display: none } .members tr { display: block; border-top: 1px solid var(--line); padding: .4rem 0 } .members td { display: block; border: 0; padding: .05rem 0 } }
code, pre { font: 13px/1.55 ui-monospace, monospace; background: var(--code); border-radius: 5px } code { padding: 1px 5px } pre { padding: .8rem 1rem; margin: .4rem 0 1rem; white-space: pre-wrap; user-select: all } pre code { padding: 0; background: none }
.id { display: inline-block; max-width: 18ch; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; vertical-align: bottom; user-select: all } .id:focus { max-width: none; white-space: normal; overflow-wrap: anywhere }
.state { display: inline-block; white-space: nowrap; font-size: 13px; font-weight: 600; border: 1px solid currentColor; border-radius: 99px; padding: 0 .6rem; color: var(--mark) } .state.warn { color: var(--warn) } .state.bad { color: var(--bad) } .state.off { color: var(--soft) }
.go { display: inline-block; background: var(--mark); color: var(--on); text-decoration: none; font-weight: 600; padding: .5rem 1.1rem; border-radius: 8px; margin: 0 .6rem .6rem 0 }
.choices { display: flex; flex-wrap: wrap; gap: .3rem 1rem; margin: .5rem 0 1rem; padding: 0; list-style: none } [aria-current] { font-weight: 700; color: var(--ink) }
.tabs { margin: .6rem 0 1rem } .tabs summary { margin: .2rem 0 } .tabs [open] > summary { font-weight: 700 }
@supports selector(::details-content) { .tabs { display: flex; flex-wrap: wrap; column-gap: 1.25rem } .tabs details { display: contents } .tabs summary { list-style: none; padding: .15rem 0; border-bottom: 3px solid transparent } .tabs [open] > summary { border-color: var(--mark) } .tabs ::details-content { order: 1; width: 100% } }
.note { border-left: 4px solid var(--warn); padding: .3rem 0 .3rem 1rem; margin: 1rem 0 }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600 } input:not([type=checkbox]), textarea { width: 100%; max-width: 44rem; padding: .45rem .6rem; font: 14px/1.4 ui-monospace, monospace; color: inherit; background: var(--card); border: 1px solid var(--soft); border-radius: 6px } button { display: block; margin: 1rem 0; padding: .5rem 1.25rem; font: inherit; font-weight: 600; color: var(--on); background: var(--mark); border: 0; border-radius: 8px }
.sound, .refused, .undecided { border-left: 4px solid var(--mark); padding: .1rem 0 .1rem 1rem; margin: 1rem 0 } .refused { border-color: var(--bad) } .undecided { border-color: var(--warn) } .drop { border: 2px dashed var(--line); border-radius: 10px; padding: 0 1rem; margin: 1.5rem 0; max-width: 46rem } .over { border-color: var(--mark) } ul:empty { display: none } button.small { display: inline; margin: 0 0 0 .6rem; padding: .1rem .6rem; font-size: 14px }
h2 code { font-size: 1rem } h2, h3 { scroll-margin-top: 1rem } :target { outline: 2px solid var(--mark); outline-offset: 6px; border-radius: 4px } summary { cursor: pointer; margin: .6rem 0 }
.frame { position: relative; margin: .4rem 0 1rem } .frame pre { margin: 0; padding-right: 5.75rem } .frame button { position: absolute; top: .4rem; right: .4rem; margin: 0; padding: .1rem .6rem; font-size: 13px } .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
@media print { .bar, .skip, .go, .choices, form, .frame button { display: none } body, code, pre, .card { background: none } main { max-width: none; padding: 0 } .frame pre { padding-right: 1rem } .scroll { overflow: visible } .id { max-width: none; white-space: normal } tr, .card { break-inside: avoid } li > a[href^="/"]::after { content: " (" attr(href) ")" } }
`

/** Script of every page: a button that copies, at each block of commands. Without it, or without a clipboard, a click selects the block. */
export const SCRIPT = `
if (navigator.clipboard) {
  const status = document.createElement('p')
  status.className = 'unseen'
  status.setAttribute('role', 'status')
  document.querySelector('main').append(status)
  for (const block of document.querySelectorAll('pre[tabindex]:not(:has(samp))')) {
    const frame = document.createElement('div')
    frame.className = 'frame'
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Copy'
    button.onclick = async () => {
      try {
        await navigator.clipboard.writeText(block.textContent)
        button.textContent = status.textContent = 'Copied'
      } catch {
        getSelection().selectAllChildren(block)
        button.textContent = status.textContent = 'Selected'
      }
      setTimeout(() => { button.textContent = 'Copy'; status.textContent = '' }, 2000)
    }
    block.replaceWith(frame)
    frame.append(block, button)
  }
}
`

/** Source expression of an inline script or style. */
export const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const [OWN_STYLE, OWN_SCRIPT] = [sourceOf(STYLE), sourceOf(SCRIPT)]

/** Policy of a page with the own style and script; `scripts` and `more` allow what else the page loads, `forms` where it sends a form. */
export const pagePolicy = ({ scripts = '', more = '', forms = "'none'" } = {}): string =>
  `default-src 'none'; style-src ${OWN_STYLE}; script-src ${OWN_SCRIPT}${scripts}; img-src 'self' data:;${more} base-uri 'none'; form-action ${forms}; frame-ancestors 'none'`

/** A page of one answer loads nothing: its style, and the script that copies, stand in it. */
export const PAGE_POLICY = pagePolicy()
