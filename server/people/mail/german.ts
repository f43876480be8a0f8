/** The German words of mails, by the English words; `{0}` and so on are the values. A test finds missing words. */
export const germanWords: Readonly<Record<string, string>> = {
  'A change of your Whereabouts account': 'Eine Änderung Ihres Whereabouts-Kontos',
  'The password of your account was changed. All other sessions have ended.':
    'Das Passwort Ihres Kontos wurde geändert. Alle anderen Sitzungen sind beendet.',
  'A new password was chosen with a link that was sent to you. All sessions have ended.':
    'Mit einem Link, der Ihnen geschickt wurde, wurde ein neues Passwort gewählt. Alle Sitzungen sind beendet.',
  'Single sign-on was connected to your account.': 'Single Sign-on wurde mit Ihrem Konto verbunden.',
  'Single sign-on was disconnected from your account.': 'Single Sign-on wurde von Ihrem Konto getrennt.',
  'You proved that the address of your account is yours.':
    'Sie haben nachgewiesen, dass die Adresse Ihres Kontos Ihnen gehört.',
  'An API key was created with your account.': 'Mit Ihrem Konto wurde ein API-Schlüssel erstellt.',
  'It is named “{0}”.': 'Sein Name ist „{0}“.',
  'Your address had not been proven before. Passwords, single sign-on, sessions and API keys from before this proof were removed.':
    'Ihre Adresse war vorher nicht nachgewiesen. Passwörter, Single Sign-on, Sitzungen und API-Schlüssel aus der Zeit vor diesem Nachweis wurden entfernt.',
  'Open your account': 'Konto öffnen',
  'If it was not you, choose a new password with “Forgot your password?” on the sign-in page, and inform an administrator.':
    'Wenn Sie das nicht waren, wählen Sie auf der Anmeldeseite mit „Passwort vergessen?“ ein neues Passwort, und informieren Sie einen Administrator.',
  'Confirm your email address for Whereabouts': 'Bestätigen Sie Ihre E-Mail-Adresse für Whereabouts',
  'Somebody who is signed in to your account asked to confirm this address.':
    'Jemand, der mit Ihrem Konto angemeldet ist, möchte diese Adresse bestätigen.',
  'Somebody who is signed in to your account asked to connect it to {0}.':
    'Jemand, der mit Ihrem Konto angemeldet ist, möchte es mit {0} verbinden.',
  'Open the link in the browser in which you asked for it, within an hour.':
    'Öffnen Sie den Link innerhalb einer Stunde in dem Browser, in dem Sie ihn angefordert haben.',
  Confirm: 'Bestätigen',
  'If it was not you, ignore this email: the link does nothing in another browser.':
    'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: In einem anderen Browser bewirkt der Link nichts.',
  'Choose a new password for Whereabouts': 'Wählen Sie ein neues Passwort für Whereabouts',
  'Somebody asked for a new password for this address in Whereabouts.':
    'Jemand hat in Whereabouts ein neues Passwort für diese Adresse angefordert.',
  'The link can be used once, within {0} minutes. It ends all sessions of the account.':
    'Der Link gilt einmal, innerhalb von {0} Minuten. Er beendet alle Sitzungen des Kontos.',
  'Choose a new password': 'Neues Passwort wählen',
  'If it was not you, ignore this email. Your password stays as it is.':
    'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail. Ihr Passwort bleibt, wie es ist.',
  '{0} invites you to {1} in Whereabouts': '{0} lädt Sie zu {1} in Whereabouts ein',
  '{0} invites you to join {1} in Whereabouts, with the role {2}.':
    '{0} lädt Sie ein, in Whereabouts Mitglied von {1} zu werden, mit der Rolle {2}.',
  'The link can be used once, until {0}.': 'Der Link gilt einmal, bis {0}.',
  'Accept the invitation': 'Einladung annehmen',
  'You receive this because an administrator entered this address. If you do not know them, ignore this email.':
    'Sie erhalten diese E-Mail, weil ein Administrator diese Adresse eingegeben hat. Wenn Sie ihn nicht kennen, ignorieren Sie sie.',
  viewer: 'Betrachter',
  operator: 'Bediener',
  manager: 'Manager',
  admin: 'Administrator',
  'Webhook endpoint disabled: {0}': 'Webhook abgeschaltet: {0}',
  'The webhook endpoint “{0}” of {1} was disabled.': 'Der Webhook „{0}“ von {1} wurde abgeschaltet.',
  'It answered 410 Gone, which means that it wants no more requests.':
    'Er hat mit 410 Gone geantwortet, will also keine Anfragen mehr.',
  'None of its attempts succeeded for five days.': 'Seit fünf Tagen war keiner seiner Versuche erfolgreich.',
  'Events that happen while it is disabled are not sent to it.':
    'Ereignisse, die geschehen, während er abgeschaltet ist, werden ihm nicht geschickt.',
  'Repair the receiver, then enable the endpoint again. “Send again” in its delivery log repeats what failed.':
    'Reparieren Sie den Empfänger, und schalten Sie den Webhook dann wieder ein. „Noch einmal senden“ in seinem Protokoll wiederholt, was fehlgeschlagen ist.',
  'Open the webhook': 'Webhook öffnen',
  'You receive this because you administer {0} in Whereabouts.':
    'Sie erhalten diese E-Mail, weil Sie {0} in Whereabouts verwalten.',
  'Open {0}': '{0} öffnen',
  'Open unknown tags': 'Unbekannte Tags öffnen',
  'Open the alert': 'Alarm öffnen',
  'Open alerts': 'Alarme öffnen',
  'You receive this because an alert rule of {0} names you. Rules are managed in Whereabouts.':
    'Sie erhalten diese E-Mail, weil eine Alarmregel von {0} Sie nennt. Regeln werden in Whereabouts verwaltet.',
  'Rule “{0}”, {1}.': 'Regel „{0}“, {1}.',
  '{0} alerts in {1}': '{0} Alarme in {1}',
  '{0} alerts in {1}:': '{0} Alarme in {1}:',
  '{0} alerts in {1}, the first {2} of them here:': '{0} Alarme in {1}, die ersten {2} davon hier:',
  'Dwell time by location': 'Verweildauer nach Standort',
  'Flow between locations': 'Warenfluss zwischen Standorten',
  'Use of an asset by location and hour': 'Nutzung eines Objekts nach Standort und Stunde',
  Inventory: 'Bestand',
  'Assets that were not seen': 'Nicht gesehene Objekte',
  'No location': 'Kein Standort',
  '{0} in {1}, as of {2}.': '{0} in {1}, Stand: {2}.',
  'Rows in the attached file: {0}.': 'Zeilen in der angehängten Datei: {0}.',
  'The file is too large for an email. Open the page below, which has the same filters, and export it there.':
    'Die Datei ist zu groß für eine E-Mail. Öffnen Sie die Seite unten, die dieselben Filter hat, und exportieren Sie sie dort.',
  'Stop these emails': 'Diese E-Mails beenden',
  'You receive this because you asked for it in Whereabouts. It stops by itself when you have opened none of three in a row.':
    'Sie erhalten diese E-Mail, weil Sie sie in Whereabouts angefordert haben. Sie endet von selbst, wenn Sie drei hintereinander nicht geöffnet haben.',
  'Stopped: {0}': 'Beendet: {0}',
  'You have opened none of the last three emails with “{0}” of {1}, so they have stopped.':
    'Sie haben keine der letzten drei E-Mails mit „{0}“ von {1} geöffnet, darum sind sie beendet.',
  'What the emails with “{0}” of {1} are about does not exist any more, so they have stopped.':
    'Das, worum es in den E-Mails mit „{0}“ von {1} geht, gibt es nicht mehr, darum sind sie beendet.',
  'You receive this because you asked for these emails in Whereabouts. The account page can continue them.':
    'Sie erhalten diese E-Mail, weil Sie diese E-Mails in Whereabouts angefordert haben. Auf der Kontoseite können Sie sie fortsetzen.',
  'An asset': 'Ein Objekt',
  'A location': 'Ein Standort',
  'A reader': 'Ein Lesegerät',
  'a handheld': 'einem Handgerät',
  'no location': 'keinem Standort',
  never: 'nie',
  '{0} moved from {1} to {2}': '{0} wurde bewegt, von {1} nach {2}',
  '{0} has not been seen since {1}, last at {2}': '{0} wurde zuletzt gesehen: {1}, Standort: {2}',
  '{0} has been at {1} since {2}': '{0} ist seit {2} an diesem Standort: {1}',
  'The battery of {0} is at {1} %': 'Die Batterie von {0} ist bei {1} %',
  'The temperature of {0} is {1} °C since {2}': 'Die Temperatur von {0} ist {1} °C, seit {2}',
  'The button of {0} was pressed': 'Der Knopf von {0} wurde gedrückt',
  'Reader {0} has sent nothing since {1}': 'Das Lesegerät {0} sendet nichts mehr seit {1}',
  'Reader {0} is back': 'Das Lesegerät {0} ist wieder da',
  'Unknown tag {0} was read by {1}': 'Unbekannter Tag {0}, gelesen von {1}',
  '{0} was created': '{0} wurde angelegt',
  '{0} was updated': '{0} wurde geändert',
  '{0} was deleted': '{0} wurde gelöscht',
};
