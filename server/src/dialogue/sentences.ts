/**
 * Sentences that the control plane itself sends to senders, by language. What a recipe or a customer wrote is sent as it is.
 */
const en = {
  too_many: 'You have sent more messages than can be answered now. Please write again in ten minutes.',
};

type Sentences = Readonly<typeof en>;

export const SENTENCES: Readonly<Record<string, Sentences>> = {
  en,
  de: {
    too_many:
      'Sie haben mehr Nachrichten gesendet, als jetzt beantwortet werden können. Bitte schreiben Sie in zehn Minuten wieder.',
  },
  es: {
    too_many:
      'Ha enviado más mensajes de los que se pueden responder ahora. Por favor, escriba de nuevo dentro de diez minutos.',
  },
  fr: {
    too_many:
      'Vous avez envoyé plus de messages qu’il n’est possible d’y répondre maintenant. Écrivez de nouveau dans dix minutes, s’il vous plaît.',
  },
  it: {
    too_many:
      'Ha inviato più messaggi di quanti se ne possano trattare ora. Scriva di nuovo tra dieci minuti, per favore.',
  },
  nl: {
    too_many:
      'U hebt meer berichten gestuurd dan er nu beantwoord kunnen worden. Schrijf over tien minuten alstublieft opnieuw.',
  },
  pt: {
    too_many:
      'Enviou mais mensagens do que é possível responder agora. Por favor, escreva de novo dentro de dez minutos.',
  },
};

/** @param locale of the customer, BCP 47; English without one, and in a language without sentences */
export function sentencesIn(locale: string | null): Sentences {
  const language = (locale ?? '').split('-')[0]?.toLowerCase() ?? '';
  return (Object.hasOwn(SENTENCES, language) ? SENTENCES[language] : undefined) ?? en;
}
