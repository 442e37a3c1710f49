import { html } from '../../pages/html.ts'
import { factTable } from '../../pages/parts.ts'
import type { ServiceClock } from '../clock.ts'
import { NoPage, Refusal } from '../http/failures.ts'
import { clockTime } from '../look/values.ts'
import type { Content, View } from '../view.ts'

const STEPS = ['+10m', '+1h', '+1d', '+7d']

const assertOperator = ({ access }: View): void => {
  if (!access.may('getAdminStatus')) throw new NoPage()
}

/** Page that shows and moves the time of the local stack; null where the time is real. */
export const createTimePage = ({ move }: ServiceClock) =>
  move === undefined
    ? null
    : {
        show: (view: View): Omit<Content, 'raw'> & { live: 'none' } => {
          assertOperator(view)
          return {
            title: 'Time of this stack',
            lead: 'Chain, service and workflows move together. Deadlines that pass on the way take effect, and sign-ins that end on the way end.',
            body: html`${factTable([['Service time', clockTime(view.now)]])}
<form method="post" action="/time"><label for="to">Move by, such as +90m or +1d12h, or to an instant</label><input id="to" name="to" required maxlength="40" list="steps" autocomplete="off"><datalist id="steps">${STEPS.map((step) => html`<option value="${step}">`)}</datalist><button>Move</button></form>`,
            live: 'none',
          }
        },
        move: async (view: View, { to = '' }: Record<string, string>): Promise<void> => {
          assertOperator(view)
          const moved = await move(to.trim())
          if (!moved.ok) throw new Refusal(400, moved.detail)
        },
      }
