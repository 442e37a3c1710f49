import { badRequest, errorTable, forbidden, get, notFound, wait } from '../common/error-row.ts'

const START_AGAIN = wait('Start the sign-in again in the client.')

/** Requests of clients that a wallet is asked to grant. */
export const OAUTH_ERRORS = errorTable({
  oauth_request_refused: badRequest({
    title: 'Request of the client refused',
    meaning:
      'The request names no known client or address, or breaks another rule; `reason` says which. No browser is sent to a client before a person has seen the page of its request.',
    next: get('/.well-known/oauth-authorization-server', 'Read what the authorisation server accepts.'),
  }),
  oauth_request_ended: notFound({
    title: 'Request of the client unknown or ended',
    meaning: 'The request of the client was answered, has expired, or belongs to another browser.',
    reaction: 'Start again in the client.',
    next: START_AGAIN,
  }),
  oauth_origin_refused: forbidden({
    title: 'Form of another site',
    meaning: 'The form was sent by a page of another site.',
    reaction: 'Open the page of this service again.',
    next: START_AGAIN,
  }),
})
