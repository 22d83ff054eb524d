import { describe, expect, it } from 'vitest';
import { splitText } from './split-text.ts';

describe('a text is split', () => {
  it.each([
    [
      'Chinese',
      '您的订单已经发货。请保持电话畅通！好吗？',
      15,
      ['您的订单已经发货。', '请保持电话畅通！好吗？'],
    ],
    [
      'Japanese quotes',
      '彼は「はい。」と言った。「本当。」それで終わり',
      16,
      ['彼は「はい。」と言った。', '「本当。」それで終わり'],
    ],
    ['Arabic', 'هل أنت هنا؟ نعم أنا هنا', 15, ['هل أنت هنا؟', 'نعم أنا هنا']],
    ['Urdu', 'یہ ایک جملہ ہے۔ یہ دوسرا ہے', 18, ['یہ ایک جملہ ہے۔', 'یہ دوسرا ہے']],
    ['Hindi', 'यह पहला वाक्य है। यह दूसरा', 22, ['यह पहला वाक्य है।', 'यह दूसरा']],
    ['Burmese', 'ဟုတ်ကဲ့။ကျေးဇူးတင်ပါတယ်', 18, ['ဟုတ်ကဲ့။', 'ကျေးဇူးတင်ပါတယ်']],
    ['Khmer', 'បាទ។អរគុណច្រើន', 12, ['បាទ។', 'អរគុណច្រើន']],
    ['Amharic', 'ሰላም ነው። እንዴት ነህ', 13, ['ሰላም ነው።', 'እንዴት ነህ']],
    ['Armenian', 'Բարև ձեզ։ Ինչպես եք', 14, ['Բարև ձեզ։', 'Ինչպես եք']],
    ['Greek', 'Τι κάνεις\u037e Καλά είμαι', 14, ['Τι κάνεις\u037e', 'Καλά είμαι']],
    ['lines', 'one\ntwo\nthree', 9, ['one\ntwo', 'three']],
    ['no space behind numbers', 'It costs 3.50 EUR. Then more', 20, ['It costs 3.50 EUR.', 'Then more']],
    ['abbreviations', 'That is all. So take e.g. this one', 23, ['That is all.', 'So take e.g. this one']],
    ['small letters', 'ok. see you then. or not', 20, ['ok. see you then.', 'or not']],
    ['dots', 'Wait… Then go on with it', 12, ['Wait…', 'Then go on', 'with it']],
  ])('at ends of sentences: %s', (_, text, maxLength, parts) => {
    expect(splitText(text, maxLength)).toEqual(parts);
  });

  it.each([
    ['at a space', 'one two three four', 10, ['one two', 'three four']],
    ['between words, in a script without spaces', 'สวัสดีครับคุณสบายดีไหม', 15, ['สวัสดีครับคุณ', 'สบายดีไหม']],
    [
      'without a part that is almost empty',
      `a ${'字'.repeat(15)}`,
      10,
      [`a ${'字'.repeat(7)}`, '字'.repeat(8)],
    ],
    ['never within a family', '👨‍👩‍👧‍👦'.repeat(3), 25, ['👨‍👩‍👧‍👦'.repeat(2), '👨‍👩‍👧‍👦']],
    ['never within a flag', '🇩🇪'.repeat(3), 6, ['🇩🇪', '🇩🇪', '🇩🇪']],
    ['never within a syllable', 'क्षि'.repeat(3), 6, ['क्षि', 'क्षि', 'क्षि']],
    [
      'never within a pair',
      `\u{20000}${'\u0301'.repeat(300)}`,
      200,
      [`\u{20000}${'\u0301'.repeat(198)}`, '\u0301'.repeat(102)],
    ],
    ['without empty parts', `${' '.repeat(50)}x`, 10, ['x']],
  ])('otherwise %s', (_, text, maxLength, parts) => {
    expect(splitText(text, maxLength)).toEqual(parts);
  });
});
