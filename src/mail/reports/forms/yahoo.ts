// Yahoo: the paragraphs of qmail behind words of its own, today's and those before 2010. Pure.
import type { Form } from './form.ts'
import { namedParagraphs } from './qmail.ts'

const OPENING =
  /^(?:Sorry, we were unable to deliver your message to the following address|Message from \S{1,255}\.\s+Unable to deliver message to the following address)/

export const readYahoo: Form = ({ text }) => (OPENING.test(text) ? namedParagraphs(text) : [])
