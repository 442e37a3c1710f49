import { subject } from '../subject.ts'

export const lanes = subject({ name: 'lanes', buildsOn: ['catalogue', 'eligibility'] })
