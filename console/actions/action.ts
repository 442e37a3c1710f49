import type { OperationId } from '../../client/src/index.ts'
import { fieldValue, type Html, html } from '../../pages/html.ts'
import { address } from '../look/values.ts'
import type { View } from '../view.ts'

/** A field of an action's form. */
export interface Field {
  name: string
  label: string
  kind: 'text' | 'area' | 'choice' | 'checks' | 'number'
  /** Values to choose from, each with its words. */
  options?: readonly (readonly [value: string, words: string])[]
  value?: string
  isRequired?: boolean
  hint?: string
}

/** What an action is about to do. */
export interface Preview {
  /** One sentence: what happens to what. */
  lead: string
  /** The subject as it is, and who gets or loses what. */
  facts: Html
  fields: readonly Field[]
  /** Words on the button. */
  button: string
}

/** What came of an action: where the reader goes next, or a page of its own. */
export type Outcome = { to: string } | { title: string; body: Html }

/** Values of a sent form, by the names of its fields; of checks a list by commas. */
export type Sent = Readonly<Record<string, string>>

/**
 * Something that an operator does. Its address has the subject: `/do/<name>?<subject>`. GET shows what would happen and asks for what the
 * API needs; POST does it, under the key that the form was given, so that a form that is sent twice acts once.
 */
export interface Action {
  name: string
  title: string
  /** Operation that it calls; who may not call it does not see the action. */
  operation: OperationId
  /** Other operations that its preview reads. */
  reads?: readonly OperationId[]
  /** Members of the address that name the subject. */
  subject: readonly string[]
  /** True where the API records no reason, or takes a rationale that it checks itself. */
  hasNoReason?: true
  /** True where it cannot be taken back. */
  isFinal?: boolean
  preview: (view: View) => Promise<Preview>
  run: (view: View, sent: Sent, key: string) => Promise<Outcome>
  /** What is shown on the page after it. */
  done: string
}

/** The reason that every action asks for; the API records it. */
export const reasonField = (hint = 'Recorded with your wallet and the time.'): Field => ({
  name: 'reason',
  label: 'Reason',
  kind: 'area',
  isRequired: true,
  hint,
})

/** Whether the reader may take an action and see its preview. */
export const isAllowed = ({ access }: Pick<View, 'access'>, { operation, reads = [] }: Action): boolean =>
  [operation, ...reads].every(access.may)

/** Address of an action on a subject. */
export const actionAddress = ({ name }: Pick<Action, 'name'>, subject: Readonly<Record<string, string>>): string =>
  address(`/do/${name}`, subject)

/** Links to those actions that the reader may take. */
export const actionLinks = (
  view: View,
  offered: readonly (readonly [action: Action, subject: Readonly<Record<string, string>>])[],
): Html | string => {
  const allowed = offered.filter(([action]) => isAllowed(view, action))
  return allowed.length === 0
    ? ''
    : html`<ul class="acts">${allowed.map(
        ([action, subject]) =>
          html`<li><a href="${actionAddress(action, subject)}"${action.isFinal ? { html: ' class="final"' } : ''}>${action.title}</a></li>`,
      )}</ul>`
}

const control = ({ name, label, kind, options = [], value = '', isRequired, hint }: Field, sent: string | undefined): Html => {
  const id = `field-${name}`
  const current = sent ?? value
  const described = hint === undefined ? '' : html`<p class="soft" id="${id}-hint">${hint}</p>`
  const more = html`${isRequired ? { html: ' required' } : ''}${hint === undefined ? '' : html` aria-describedby="${id}-hint"`}`
  if (kind === 'checks') {
    const chosen = current.split(',')
    return html`<fieldset class="checks"><legend>${label}</legend>${described}${options.map(
      ([option, words]) =>
        html`<label><input type="checkbox" name="${name}" value="${option}"${chosen.includes(option) ? { html: ' checked' } : ''}> ${words}</label>`,
    )}</fieldset>`
  }
  const title = html`<label for="${id}">${label}</label>${described}`
  if (kind === 'choice')
    return html`${title}<select id="${id}" name="${name}"${more}>${options.map(
      ([option, words]) => html`<option value="${option}"${option === current ? { html: ' selected' } : ''}>${words}</option>`,
    )}</select>`
  if (kind === 'area')
    return html`${title}<textarea id="${id}" name="${name}" rows="4" maxlength="20000"${more}>
${fieldValue(current)}</textarea>`
  return html`${title}<input id="${id}" name="${name}" value="${fieldValue(current)}"${kind === 'number' ? { html: ' inputmode="decimal"' } : ''}${more} maxlength="2000" autocomplete="off">`
}

/** The form that was sent, to be sent again under its key: for a reader whose form had no answer, while its preview cannot be read either. */
export const repeatForm = ({ to, key, sent }: { to: string; key: string; sent: Sent }): Html =>
  html`<form method="post" action="${to}">${Object.entries({ ...sent, key }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${fieldValue(value)}">`,
  )}<button>Send the same form again</button></form>`

/** Form of an action, with what the reader has typed before. */
export const actionForm = (
  action: Action,
  { facts, fields, button }: Preview,
  { to, key, sent }: { to: string; key: string; sent: Sent },
): Html =>
  html`${facts}
<form method="post" action="${to}"><input type="hidden" name="key" value="${key}">
${fields.map((one) => control(one, sent[one.name]))}
${action.isFinal ? html`<p class="note">This cannot be taken back.</p>` : ''}
<button>${button}</button></form>`
