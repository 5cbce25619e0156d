"""A host in, whether it serves advertisements or counts readers out."""

_HOSTS = frozenset(
    """
    2mdn.net 33across.com adform.net adition.com adnxs.com adroll.com adsafeprotected.com adsrvr.org adtech.de
    amazon-adsystem.com bidswitch.net bluekai.com casalemedia.com chartbeat.com chartbeat.net clarity.ms criteo.com
    criteo.net crwdcntrl.net demdex.net doubleclick.net doubleverify.com emetriq.de exelator.com facebook.net
    fwmrm.net google-analytics.com googleadservices.com googlesyndication.com googletagmanager.com
    googletagservices.com gumgum.com hotjar.com id5-sync.com imrworldwide.com indexww.com ioam.de iocnt.net
    krxd.net lijit.com mathtag.com mc.yandex.ru media.net moatads.com nuggad.net omtrdc.net openx.net outbrain.com
    parsely.com permutive.com plista.com pubmatic.com quantcount.com quantserve.com rfihub.com rlcdn.com
    rubiconproject.com scorecardresearch.com sentry.io serving-sys.com sharethis.com sharethrough.com smartadserver.com
    spotxchange.com taboola.com tapad.com teads.tv theadex.com top-fwz1.mail.ru tremorhub.com turn.com xiti.com
    yieldlab.net yieldlove.com zergnet.com
    """.split()
)
"""The networks that most papers use; the full lists of filters have a hundred thousand entries for little more."""


def is_advertiser(host: str) -> bool:
    """Tell whether a host, or one it belongs to, is an advertiser's.

    >>> is_advertiser("securepubads.g.doubleclick.net"), is_advertiser("example.com")
    (True, False)
    """
    parts = host.lower().rstrip(".").split(".")
    return any(".".join(parts[start:]) in _HOSTS for start in range(len(parts) - 1))
