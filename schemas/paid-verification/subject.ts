import { subject } from '../subject.ts'

export const paidVerification = subject({ name: 'paid-verification', buildsOn: ['catalogue', 'outbound', 'sandbox'] })
