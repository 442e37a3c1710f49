import { type Html, html } from '../../../pages/html.ts'
import { choices, commands, factTable, linkList } from '../../../pages/parts.ts'
import { page } from '../../http/pages/page.ts'
import { type Guide, type GuideStep, guidePath } from '../guides/guide.ts'

/** Guides as links, each with what it leads to. */
export const guideLinks = (guides: readonly Guide[]): Html => linkList(guides.map((guide) => [guidePath(guide), guide.title, guide.lead]))

/** Page of all guides. */
export const guidesPage = (guides: readonly Guide[]): string =>
  page(
    {
      title: 'Guides',
      lead: 'Each leads from its first command to an end that you can check. A test runs each in bash, on a stack of its own.',
      place: '/docs',
    },
    html`${guides.map(
      (guide) =>
        html`<h2><a href="${guidePath(guide)}">${guide.title}</a></h2><p>${guide.lead}</p>${factTable([
          ['Needs', guide.needs],
          ['Costs', guide.costs],
          ['At the end', guide.result],
        ])}`,
    )}
<p><a class="go" href="/docs">Documentation</a></p>`,
  )

const stepSection = ({ title, words, code, prints, refusals, elsewhere }: GuideStep, index: number): Html =>
  html`<h2 id="step-${index + 1}">${index + 1}. ${title}</h2>
${elsewhere === undefined ? '' : html`<p class="note">For a stack of your own alone. On any other service: ${elsewhere}</p>`}
<p>${words}</p>
${commands(code)}<p class="soft">Prints, shortened:</p>
<pre tabindex="0"><samp>${prints}</samp></pre>
<p>When it is refused:</p><ul>${refusals.map((refusal) => html`<li>${refusal}</li>`)}</ul>`

/** Page of one guide: what it takes, and its blocks in order. */
export const guidePage = ({ title, lead, needs, costs, result, steps, next }: Guide): string =>
  page(
    { title, lead, place: '/docs' },
    html`${factTable([
      ['You need', needs],
      ['It costs', costs],
      ['At the end you have', result],
    ])}
${choices(
  'Contents',
  steps.map((step, index) => [step.title, `#step-${index + 1}`, false]),
)}
<p>Copy the blocks in order, into one shell: a later one uses the variables of an earlier one.</p>
${steps.map(stepSection)}
<h2>Read on</h2>${linkList(next)}
<p><a class="go" href="/docs/guides">All guides</a> <a class="go" href="/docs/errors">Error codes</a></p>`,
  )
