GAMES = []
