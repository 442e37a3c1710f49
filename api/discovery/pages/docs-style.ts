import { createHash } from 'node:crypto'

/** The style of the reference page; the page loads no external file. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1b2430; --soft: #5b6875; --line: #dfe4ea; --card: #ffffff; --page: #f6f7f9; --mark: #0b6e4f; --post: #9a4b00; --code: #eef1f4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7ecf2; --soft: #9aa7b4; --line: #2b3440; --card: #171d25; --page: #0f141a; --mark: #4fd1a5; --post: #f0a860; --code: #202833; } }
* { box-sizing: border-box }
html { scroll-behavior: smooth }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--page) }
a { color: var(--mark); text-decoration: none } a:hover { text-decoration: underline }
code, pre { font: 13px/1.5 ui-monospace, monospace; background: var(--code); border-radius: 5px }
code { padding: 1px 5px; overflow-wrap: anywhere } pre { padding: 12px 14px; overflow: auto; max-height: 30rem; margin: 10px 0 }
.page { display: grid; grid-template-columns: 250px minmax(0, 1fr); max-width: 1280px; margin: 0 auto }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 28px 18px; font-size: 14px; border-right: 1px solid var(--line) }
nav h2 { font-size: 12px; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); margin: 18px 0 6px }
nav ul { list-style: none; margin: 0; padding: 0 } nav li { margin: 3px 0 }
main { padding: 34px 34px 80px; min-width: 0 }
header h1 { margin: 0; font-size: 32px; letter-spacing: -.02em } header p { color: var(--soft); margin: 6px 0 0; max-width: 70ch }
h2.group { margin: 48px 0 12px; font-size: 22px; border-bottom: 2px solid var(--line); padding-bottom: 6px }
article, .card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 18px 20px; margin: 14px 0; scroll-margin-top: 14px }
article h3 { margin: 0 0 4px; font-size: 16px; display: flex; flex-wrap: wrap; gap: 10px; align-items: baseline }
.verb { font: 700 12px/1 ui-monospace, monospace; padding: 5px 8px; border-radius: 6px; color: var(--card); background: var(--mark) } .verb.post { background: var(--post) }
.path { font: 600 15px ui-monospace, monospace; overflow-wrap: anywhere }
.facts { display: flex; flex-wrap: wrap; gap: 6px; margin: 8px 0 } .facts span { font-size: 12px; color: var(--soft); border: 1px solid var(--line); border-radius: 99px; padding: 2px 10px }
table { width: 100%; border-collapse: collapse; font-size: 14px; margin: 10px 0 } th { text-align: left; color: var(--soft); font-weight: 600; font-size: 12px } td, th { border-top: 1px solid var(--line); padding: 7px 10px 7px 0; vertical-align: top }
details summary { cursor: pointer; color: var(--soft); font-size: 14px; margin-top: 8px }
.codes a { display: inline-block; margin: 2px 10px 2px 0; font: 13px ui-monospace, monospace }
.error { display: grid; grid-template-columns: 64px minmax(0, 1fr); gap: 4px 14px; padding: 12px 0; border-top: 1px solid var(--line); scroll-margin-top: 14px } .error:target, article:target { outline: 2px solid var(--mark); outline-offset: 6px; border-radius: 8px }
.error b { font: 600 14px ui-monospace, monospace; overflow-wrap: anywhere } .error p { margin: 2px 0 } .status { font: 700 14px ui-monospace, monospace; color: var(--soft) } .soft { color: var(--soft) }
@media (max-width: 860px) { .page { display: block } nav { position: static; max-height: none; border-right: 0; border-bottom: 1px solid var(--line) } main { padding: 22px 18px 60px } }
`

const digest = createHash('sha256').update(STYLE).digest('base64')

/** Content security policy of the page: its own style and nothing else. */
export const DOCS_POLICY = `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
