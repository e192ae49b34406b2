# SPDX-License-Identifier: MIT
from bots.testing import check_bot
from careful import Careful


def test_careful_keeps_the_contract():
    check_bot(Careful)
