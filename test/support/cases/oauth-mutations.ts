/** Operations of OAuth, which its own tests repeat. */
export const OAUTH_CASES = {
  registerClient: { kind: 'exempt', because: 'each call registers a client of its own; an unused one is deleted' },
  exchangeCode: { kind: 'exempt', because: 'a code is good once and a refresh token for 30 seconds more; the tests of OAuth show it' },
  revokeOauthToken: { kind: 'exempt', because: 'RFC 7009 answers a repeat like the first; the tests of OAuth show it' },
  chooseTerms: { kind: 'exempt', because: 'each call returns a challenge of its own; an unused one expires' },
  signTerms: { kind: 'exempt', because: 'a nonce is good for one signature; the tests of OAuth show it' },
  refuseClient: { kind: 'exempt', because: 'a request is answered once; the tests of OAuth show it' },
} as const
