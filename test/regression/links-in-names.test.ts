import { expect, it } from 'vitest';
import { invitationMail } from '../../server/people/mail/invitation.js';
import { nobodyInParticular } from '../../server/people/mail/person.js';

const url = 'https://whereabouts.example.com/join#token';

it.each([
  'evil.example',
  'https://evil.example/login?x=1',
  'HTTP://EVIL.EXAMPLE',
  'www.evil.example',
  'evil\u3002example',
  'evil\u200B.\u200Bexample',
  'xn--bcher-kva.example',
  'mallory@evil.example',
  'mailto:mallory@localhost',
  'javascript:alert(1)',
  'http://192.0.2.1/x',
  '192.0.2.1',
  '\\\\evil\\share',
  'Acme\u202Eelpmaxe.live',
  'line\u2028https://evil.example',
])('a name cannot put a link into a mail: %s', (name) => {
  const mail = invitationMail({
    person: nobodyInParticular,
    orgName: name,
    inviterName: name,
    role: 'viewer',
    expiresAt: Date.now(),
    url,
  });
  for (const text of [mail.subject, mail.text, mail.html]) {
    const words = text.replaceAll(url, '').replaceAll(/<[^>]*>/g, ' ');
    expect(words).not.toMatch(/\S[.\u3002]\u200B?\p{L}{2}/u);
    expect(words).not.toMatch(/:\/\/|\p{L}:\S|\S@\S|\d\.\d+\.\d+\.\d|\\\\|[\u200B\u202E\u2028]/u);
  }
});

it('other names are mailed as they are', () => {
  const orgName = 'Müller & Söhne Co., Ltd. No. 5 (v1.5) 12:30';
  const { text } = invitationMail({
    person: nobodyInParticular,
    orgName,
    inviterName: 'Dr. Ada',
    role: 'viewer',
    expiresAt: Date.now(),
    url,
  });
  expect(text).toContain(`Dr. Ada invites you to join ${orgName} in Whereabouts`);
  expect(text).toContain(url);
});
